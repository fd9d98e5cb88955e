//! Completions, the manual, and colours only on terminals.

mod common;

use std::fs;

use common::{database, merels, stdout};

const COMMANDS: [&str; 7] = ["solve", "stats", "query", "play", "verify", "completions", "man"];

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(merels(database()).args(["completions", shell]));
        assert!(
            script.contains("merels") && script.contains("MERELS_COMPLETE"),
            "{shell}: {script}"
        );
    }
    merels(database()).args(["completions", "dos"]).assert().code(2);
}

/// What bash offers for the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let mut program = merels(database());
    program.env("MERELS_COMPLETE", "bash").env("_CLAP_IFS", "\n");
    program.env("_CLAP_COMPLETE_INDEX", words.len().to_string()).args(["--", "merels"]).args(words);
    stdout(&mut program).lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn completions_know_commands_rulesets_editions_and_subspaces() {
    let commands = offered(&[""]);
    for command in COMMANDS {
        assert!(commands.iter().any(|word| word == command), "{commands:?}");
    }
    assert!(offered(&["query", "--all"]).contains(&"--all-best".to_owned()));
    // Nothing for developers only.
    assert!(!offered(&["solve", "--"]).contains(&"--processor".to_owned()));
    assert_eq!(offered(&["solve", "--ruleset", "las"]), ["lasker"]);
    assert_eq!(offered(&["pack", "--edition", "out"]), ["outcome"]);
    assert_eq!(offered(&["stats", "4-"]), ["4-3", "4-4"]);
    assert_eq!(offered(&["list", "-r", "six", "--subspace", ""]), Vec::<String>::new());
    assert_eq!(offered(&["solve", "-r", "three", "--only", "0-0"]), ["0-0+3-3"]);
    assert_eq!(offered(&["query", "--format", "j"]), ["json", "jsonl"]);
}

#[test]
fn a_manual_page_for_every_command() {
    let page = stdout(merels(database()).arg("man"));
    assert!(page.contains(".TH merels 1"), "{page}");
    assert!(page.contains("Exit codes"), "{page}");
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("share/man/man1");
    merels(database()).args(["man", "--dir"]).arg(&folder).assert().success().stdout("");
    for command in COMMANDS {
        let page = fs::read_to_string(folder.join(format!("merels-{command}.1"))).unwrap();
        assert!(page.contains(&format!("merels\\-{command}")), "{page}");
    }
    assert!(folder.join("merels.1").exists());
    merels(database()).args(["man", "--dir", "/dev/null/x"]).assert().code(5);
}

#[test]
fn colours_are_for_terminals() {
    let run = |variable: &str, arguments: &[&str]| {
        let mut command = merels(database());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env(variable, "1");
        let output = command.args(arguments).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let figure_9 = ["query", "--line", "w:d7,g7,g1 b:a4,g4,d5 move:b"];
    let plain = run("UNRELATED", &figure_9).0;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let coloured = run("CLICOLOR_FORCE", &figure_9).0;
    assert!(coloured.contains("\u{1b}[31mloss in 26 plies\u{1b}[0m"), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    assert_eq!(run("NO_COLOR", &figure_9).0, plain);
    // Never in output for programs.
    for format in ["json", "jsonl", "csv"] {
        let answer = run("CLICOLOR_FORCE", &["query", "--format", format, figure_9[2]]).0;
        assert!(!answer.contains('\u{1b}'), "{answer}");
    }
    let refusal = ["query", "nonsense"];
    assert!(run("CLICOLOR_FORCE", &refusal).1.starts_with("\u{1b}[1m\u{1b}[31mmerels:\u{1b}[0m "));
    assert!(run("UNRELATED", &refusal).1.starts_with("merels: "));
}

#[test]
fn the_help_of_every_command_tells_the_exit_codes() {
    for command in ["solve", "stats", "query", "play", "verify"] {
        let help = stdout(merels(database()).args([command, "--help"]));
        assert!(help.contains("Exit codes:"), "{help}");
    }
}
