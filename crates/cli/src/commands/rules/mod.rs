//! `merels rules`: lists the rulesets that have a name and explains any ruleset.

mod json;
mod show;

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, Subcommand};
use merels_core::{KnownResult, Ruleset};

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::style::{self, HEADING};
use crate::shared::arguments::DatabaseArgs;

/// List the rulesets that have a name, or explain a ruleset
///
/// Without `show`, prints a line for each name: the result for the side that moves first, if it is
/// known, and a short description. docs/rules.md explains the fields of rulesets.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// Write JSON (docs/json.md)
    #[arg(long, global = true)]
    json: bool,
}

/// What to do instead of listing.
#[derive(Debug, Subcommand)]
enum Action {
    /// Print all rules of one ruleset in words, including those that rule books omit
    Show {
        /// The ruleset, as in standard,flying=never [default: that of --ruleset]
        #[arg(value_name = "RULES")]
        rules: Option<Ruleset>,
    },
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &RulesArgs) -> anyhow::Result<Exit> {
    let out = &mut anstream::stdout().lock();
    let written = match (&args.action, args.json) {
        (None, false) => write_list(out),
        (None, true) => json::write_list(out),
        (Some(Action::Show { rules }), json) => {
            let ruleset = rules.unwrap_or(database.ruleset());
            let sections = ruleset.in_words()?;
            match json {
                false => show::write(out, &ruleset, &sections),
                true => json::write_one(out, &ruleset, sections),
            }
        }
    };
    written.context(CANNOT_WRITE)?;
    Ok(Exit::Fine)
}

fn write_list(out: &mut impl Write) -> io::Result<()> {
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
         (p), computed\nby merels (c), or unknown (-). `merels rules show NAME` prints the rules \
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
