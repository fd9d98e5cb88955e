//! The result of a run.

use merels_core::{Position, Ruleset, Subspace};
use merels_db::{Folder, TableInfo};
use merels_solver::{Job, JobReport, Plan, Summary};
use serde::Serialize;

use crate::commands::solve::report::GameReport;
use crate::output::rows::{PlyRow, Row, order};
use crate::shared::arguments::DatabaseArgs;
use crate::shared::memory;

/// The result of a run.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    pub(super) ruleset: Ruleset,
    /// The subspaces of the plan in the order of the output, and whether this run solved each.
    pub(super) rows: Vec<(Subspace, Row, bool)>,
    /// The placing phase among them, from the empty board on.
    pub(super) plies: Vec<PlyRow>,
    pub(super) totals: Row,
    /// None unless the game is solved to the empty board.
    pub(super) report: Option<GameReport>,
    pub(super) run: RunFigures,
    /// The finished jobs, if their times are wanted.
    pub(super) timings: Option<&'a [(Job, JobReport)]>,
}

/// What a run took.
#[derive(Debug, Serialize)]
pub(super) struct RunFigures {
    pub(super) folder: String,
    pub(super) solved_subspaces: usize,
    pub(super) solved_entries: u64,
    pub(super) seconds: f64,
    /// None if the system does not report it.
    pub(super) peak_memory_bytes: Option<u64>,
    /// The size of all files of the plan.
    pub(super) size_bytes: u64,
    /// Files that are kept until the rest of the game is solved, and their size.
    pub(super) work_files: usize,
    pub(super) work_bytes: u64,
}

impl<'a> Findings<'a> {
    pub(super) fn new(
        database: &DatabaseArgs,
        with_timings: bool,
        plan: &Plan,
        summary: &'a Summary,
        folder: &Folder,
    ) -> anyhow::Result<Self> {
        let ruleset = database.solved_ruleset();
        let now: Vec<_> = summary.solved.iter().flat_map(|(job, _)| job.subspaces()).collect();
        let mut tables = summary.tables.clone();
        tables.sort_by_key(|info| order(info.subspace));
        let row = |info: &TableInfo| (info.subspace, Row::new(info), now.contains(&info.subspace));
        let rows: Vec<_> = tables.iter().map(row).collect();
        let totals = Row::total(rows.iter().map(|(_, row, _)| row));
        let plies = PlyRow::all(&ruleset, rows.iter().map(|(subspace, row, _)| (*subspace, row)));
        let start = Position::start(&ruleset).subspace();
        let report = if plan.jobs().contains(&Job::of(&ruleset, start)) {
            Some(GameReport::new(&database.folder()?, ruleset, &tables)?)
        } else {
            None
        };
        let work = folder.work_tables_present()?;
        let sizes =
            work.iter().map(|&it| folder.work_path_of(it).metadata().map_or(0, |it| it.len()));
        let run = RunFigures {
            folder: folder.path().display().to_string(),
            solved_subspaces: now.len(),
            solved_entries: summary.solved.iter().map(|(_, report)| report.entries).sum(),
            seconds: summary.elapsed.as_secs_f64(),
            peak_memory_bytes: memory::peak().map(|peak| peak.as_u64()),
            size_bytes: totals.counts.size_bytes,
            work_files: work.len(),
            work_bytes: sizes.sum(),
        };
        let timings = with_timings.then_some(summary.solved.as_slice());
        Ok(Self { ruleset, rows, plies, totals, report, run, timings })
    }
}
