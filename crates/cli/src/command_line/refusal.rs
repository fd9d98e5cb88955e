//! A command line that cannot be read, in one line like every other error of the program.

use std::env;

use clap::Error;
use clap::error::ErrorKind;

use crate::command_line::definition::definition;
use crate::exit::Exit;
use crate::output::note::complain;

/// Writes why the command line is wrong, and where its help is, to standard error.
pub(crate) fn report(error: &Error) -> Exit {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Nobody reads standard error if this fails.
        let _ = error.print();
        return Exit::Usage;
    }
    complain(in_one_line(error, named_command().as_deref()));
    Exit::Usage
}

/// The first argument that is the name of a command.
fn named_command() -> Option<String> {
    let definition = definition();
    let mut words = env::args().skip(1);
    words.find(|word| definition.find_subcommand(word).is_some())
}

/// What clap writes in several paragraphs: the fault, tips, the usage, a hint.
fn in_one_line(error: &Error, command: Option<&str>) -> String {
    let help = command.map_or("merels --help".to_owned(), |name| format!("merels {name} --help"));
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let fault = one_line(paragraphs.next().unwrap_or_default());
    let fault = fault.strip_prefix("error: ").unwrap_or(&fault);
    let tips = paragraphs.filter_map(|paragraph| {
        let tip = paragraph.trim().strip_prefix("tip: ")?;
        Some(one_line(&tip.replace("tip: ", "; ")))
    });
    let parts = [fault.trim_end_matches('.').to_owned()].into_iter().chain(tips);
    let text = parts.collect::<Vec<_>>().join("; ");
    format!("{text}; see `{help}`")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(words: &[&str]) -> String {
        let line = ["merels"].iter().chain(words);
        let error = definition().try_get_matches_from(line).expect_err("a wrong line");
        in_one_line(&error, words.first().copied())
    }

    #[test]
    fn one_line_says_what_is_wrong_and_where_the_help_is() {
        let all = [
            refusal(&["query", "--fromat", "csv"]),
            refusal(&["list"]),
            refusal(&["solve", "--threads", "none"]),
            refusal(&["solve", "--phase", "both"]),
            refusal(&["query", "--ruleset", "chess", "start"]),
        ];
        for line in &all {
            assert!(!line.contains('\n') && !line.contains("Usage"), "{line}");
            assert!(line.contains("; see `merels ") && line.ends_with(" --help`"), "{line}");
        }
        assert!(all[0].contains("a similar argument exists: '--format'"), "{}", all[0]);
        assert!(all[1].contains("--subspace"), "{}", all[1]);
        assert!(all[3].contains("[possible values: moving, all]"), "{}", all[3]);
    }
}
