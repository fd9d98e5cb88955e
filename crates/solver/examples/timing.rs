//! Scratch timing.
use merels_core::{Plies, Ruleset};
use merels_db::{Folder, TableInfo};
use merels_solver::*;
use std::sync::atomic::AtomicBool;
struct O;
impl Observer for O {
    fn layer(&self, d: Plies, decided: u64) {
        if std::env::var("V").is_ok() {
            eprintln!("  layer {d} decided {decided}");
        }
    }
    fn end_job(&self, pair: Job, r: &JobReport, tables: &[TableInfo]) {
        let t = r.times;
        eprintln!(
            "{pair:>10} {:>11} entries {:>6.1} ns/e total; load {:.2} begin {:.2} ({:.2} ns/e) prop {:.2} ({:.2} ns/edge, {:.2e} edges) store {:.2} ({:.2} ns, {:.2e}) place {:.2} ({:.2} ns/e) check {:.2} count {:.2} write {:.2} layers {}",
            r.entries,
            1e9 * (t.load
                + t.begin
                + t.propagate
                + t.store
                + t.place
                + t.check
                + t.count
                + t.write)
                .as_secs_f64()
                / r.entries as f64,
            t.load.as_secs_f64(),
            t.begin.as_secs_f64(),
            1e9 * t.begin.as_secs_f64() / r.entries as f64,
            t.propagate.as_secs_f64(),
            1e9 * t.propagate.as_secs_f64() / r.edges as f64,
            r.edges as f64,
            t.store.as_secs_f64(),
            1e9 * t.store.as_secs_f64() / r.stores as f64,
            r.stores as f64,
            t.place.as_secs_f64(),
            1e9 * t.place.as_secs_f64() / r.entries as f64,
            t.check.as_secs_f64(),
            t.count.as_secs_f64(),
            t.write.as_secs_f64(),
            r.layers
        );
        for i in tables {
            eprintln!("   {} {} size {} {}", i.subspace, i.statistics, i.size, i.digest);
        }
    }
}
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let only: Vec<_> = std::env::args().skip(2).map(|s| s.parse().unwrap()).collect();
    let selection = match std::env::var("UPTO") {
        Ok(most) => Selection::UpTo(most.parse().unwrap()),
        Err(_) if only.is_empty() => Selection::All,
        Err(_) => Selection::Only(only),
    };
    let folder = Folder::create(dir.as_ref(), Ruleset::STANDARD).unwrap();
    let plan = if std::env::var("UPTO").is_ok() {
        Plan::moving(&Ruleset::STANDARD, &selection)
    } else {
        Plan::whole_game(&Ruleset::STANDARD, &selection)
    }
    .unwrap();
    let p =
        if std::env::var("PORTABLE").is_ok() { Processor::Portable } else { Processor::detect() };
    let s = run(
        &folder,
        &plan,
        &Options { memory: 20 << 30, level: 1, processor: p },
        &O,
        &AtomicBool::new(false),
    )
    .unwrap();
    eprintln!("{:?}", s.elapsed);
}
