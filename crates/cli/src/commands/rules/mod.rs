//! `merels rules`: lists the rulesets that have a name and explains any ruleset.

mod json;
mod show;

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, Subcommand};
use clap_complete::engine::ArgValueCandidates;
use merels_core::{KnownResult, Ruleset};

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::style::{self, HEADING};
use crate::shared::arguments::DatabaseArgs;
use crate::shared::completers;
use crate::shared::output::{Format, OutputArgs};
use crate::shared::records::{self, Records};

/// List the rulesets that have a name, or explain a ruleset
///
/// Without RULES, prints a line for each name: the result for the side that moves first, if it is
/// known, and a short description. With it, prints all rules of one ruleset in words, including
/// those that rule books omit. docs/rules.md explains the fields of rulesets.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RulesArgs {
    /// The ruleset to explain, as in lasker or standard,flying=never
    #[arg(value_name = "RULES", add = ArgValueCandidates::new(completers::rulesets))]
    rules: Option<Ruleset>,
    #[command(flatten)]
    output: OutputArgs<Format>,
    #[command(subcommand)]
    action: Option<Action>,
}

/// An older way to ask.
#[derive(Debug, Subcommand)]
enum Action {
    /// The same as `merels rules RULES`
    #[command(hide = true)]
    Show {
        /// The ruleset [default: that of --ruleset]
        #[arg(value_name = "RULES")]
        rules: Option<Ruleset>,
        #[command(flatten)]
        output: OutputArgs<Format>,
    },
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &RulesArgs) -> anyhow::Result<Exit> {
    let (ruleset, output) = match &args.action {
        Some(Action::Show { rules, output }) => (Some(rules.unwrap_or(database.ruleset())), output),
        None => (args.rules.or(database.given_ruleset()), &args.output),
    };
    let Some(ruleset) = ruleset else {
        let all = json::all();
        return output.write(|out| {
            let format = output.format();
            records::write(out, format, write_list, &all, || Records::new(&all))
                .context(CANNOT_WRITE)?;
            Ok(Exit::Fine)
        });
    };
    let sections = ruleset.in_words()?;
    output.write(|out| {
        let text = |out: &mut dyn Write| show::write(out, &ruleset, &sections);
        let (document, rows) = (json::one(&ruleset, &sections), || show::rows(&sections));
        records::write(out, output.format(), text, &document, rows).context(CANNOT_WRITE)?;
        Ok(Exit::Fine)
    })
}

fn write_list(out: &mut dyn Write) -> io::Result<()> {
    const UNKNOWN: &str = "-";
    let rows: Vec<_> = Ruleset::PRESETS
        .iter()
        .map(|preset| (preset, preset.ruleset.known_result()))
        .map(|(preset, known)| (preset, known, known.map_or(UNKNOWN.to_owned(), told)))
        .collect();
    let name_width = rows.iter().map(|(preset, ..)| preset.name.len()).max().unwrap_or(0);
    let headings = ["ruleset", "first player"];
    let told_width = rows.iter().map(|(.., told)| told.len()).max().unwrap_or(0);
    let told_width = told_width.max(headings[1].len());
    let [name, value] = headings;
    writeln!(out, "{HEADING}{name:<name_width$}  {value:<told_width$}  rules{HEADING:#}")?;
    for (preset, known, told) in &rows {
        let style = known.map(|known| style::of(known.value.outcome())).unwrap_or_default();
        let (name, summary) = (preset.name, preset.summary);
        writeln!(out, "{name:<name_width$}  {style}{told:<told_width$}{style:#}  {summary}")?;
    }
    writeln!(
        out,
        "\nfirst player: the value of the empty board for the side that moves first; published \
         (p), computed\nby merels (c), or unknown (-). `merels rules NAME` prints the rules \
         in words."
    )
}

/// A result with its evidence: `win in 9 plies (p, c)`.
fn told(known: KnownResult) -> String {
    let marks = match (known.evidence.is_published(), known.evidence.is_computed()) {
        (true, true) => "p, c",
        (true, false) => "p",
        (false, _) => "c",
    };
    format!("{} ({marks})", known.value.in_words())
}
