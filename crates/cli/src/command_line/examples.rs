//! Two examples for each command, which its help shows first.

use clap::Command;
use clap::builder::StyledStr;

/// The command, empty for the program itself, and its examples.
pub(super) const EXAMPLES: [(&str, [&str; 2]); 14] = [
    ("", ["merels solve --ruleset three", "merels query --ruleset three --line start"]),
    ("solve", ["merels solve", "merels solve --ruleset lasker,stones=6 --threads 2"]),
    ("stats", ["merels stats", "merels stats --histogram 3-3 --format csv"]),
    ("query", ["merels query w:d7,g7,g1 b:a4,g4,d5 move:b", "merels query --line positions.txt"]),
    ("list", ["merels list --subspace 3-3 --outcome draw", "merels list --subspace 5-4 --longest"]),
    ("play", ["merels play", "merels play --white perfect --black person"]),
    ("rules", ["merels rules", "merels rules lasker"]),
    ("annotate", ["merels annotate game.pgn", "merels annotate --format pgn - < game.txt"]),
    ("serve", ["merels serve", "merels serve --ruleset seven --addr 127.0.0.1:8080"]),
    ("verify", ["merels verify", "merels verify --full"]),
    (
        "pack",
        [
            "merels pack --edition outcome --to small",
            "merels pack -r six --edition compact --to six",
        ],
    ),
    ("atlas", ["merels atlas three four --output pages", "merels atlas --html atlas.html"]),
    ("completions", ["merels completions bash", "merels completions zsh"]),
    ("man", ["merels man", "merels man --dir ~/.local/share/man/man1"]),
];

/// Adds the examples to the help of each command, behind its first paragraph.
pub(super) fn add_to(command: Command) -> Command {
    EXAMPLES.into_iter().fold(command, |command, (name, examples)| match name {
        "" => add(command, examples),
        _ => command.mut_subcommand(name, |command| add(command, examples)),
    })
}

fn add(command: Command, examples: [&str; 2]) -> Command {
    let text = command.get_long_about().or(command.get_about()).map(StyledStr::to_string);
    let text = text.unwrap_or_default();
    let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let examples = examples.map(|example| format!("  {example}")).join("\n");
    command.long_about(format!("{first}\n\n{examples}\n\n{rest}").trim_end().to_owned())
}
