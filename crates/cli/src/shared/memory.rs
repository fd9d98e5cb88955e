//! The memory that is available, and the memory that was used.
//!
//! In a container or a service with its own limit, the process may not use all the memory that the
//! system reports as available. On Linux this module also reads the control groups of the process
//! and their parents.

use std::fs;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use sysinfo::{MemoryRefreshKind, System};

/// Reads the value of an option `--memory`.
///
/// # Errors
/// If it is not a number with a unit.
pub(crate) fn limit(text: &str) -> Result<ByteSize, String> {
    let digits = text.trim();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("a number of bytes needs a unit, as in {digits}GiB or {digits}00MB"));
    }
    text.parse().map_err(|_| "a size is a number with a unit, as in 4GiB or 800MB".to_owned())
}

/// Three quarters of the memory that is available now, so that the disk cache and other programs
/// have the rest. At most 7 GiB, because more makes nothing much faster.
pub(crate) fn safe_share() -> ByteSize {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let in_groups = available_in_control_groups(Path::new("/"));
    let available =
        in_groups.map_or(system.available_memory(), |bytes| bytes.min(system.available_memory()));
    ByteSize::b(available / 4 * 3).min(ByteSize::gib(7))
}

/// The most memory that this process has held so far; none if the system does not report it.
///
/// On Linux it comes from the process's own status. The usual call, `getrusage`, also counts the
/// memory of the program that started this one, from before this one replaced it.
pub(crate) fn peak() -> Option<ByteSize> {
    let own = fs::read_to_string("/proc/self/status").ok();
    own.and_then(|status| own_peak(&status)).or_else(peak_with_parent)
}

/// The peak in the status that Linux keeps of a process.
fn own_peak(status: &str) -> Option<ByteSize> {
    let figure = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes = figure.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(ByteSize::kib(kibibytes))
}

fn peak_with_parent() -> Option<ByteSize> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        // In kibibytes; in bytes on Apple's systems.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        u64::try_from(usage.max_rss()).ok().map(|peak| ByteSize::b(peak * unit))
    }
    #[cfg(not(unix))]
    None
}

/// The bytes that the tightest control group leaves to this process; none without a limit. `root`
/// is the root of the file system.
fn available_in_control_groups(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    groups.lines().filter_map(|line| available_in_hierarchy(root, line)).min()
}

/// The bytes left by the group in a line of `/proc/self/cgroup` (`number:controllers:path`) and by
/// all its parents.
fn available_in_hierarchy(root: &Path, line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, group) = (fields.next()?, fields.next()?);
    let files = if controllers.is_empty() {
        &VERSION_2
    } else if controllers.split(',').any(|name| name == "memory") {
        &VERSION_1
    } else {
        return None;
    };
    let mount = root.join(files.mount);
    // In a container the path is the host's. The part of it that exists here applies.
    let mut group = PathBuf::from(group.trim_start_matches('/'));
    let mut least = None;
    loop {
        let here = available_in_group(&mount.join(&group), files);
        least = [least, here].into_iter().flatten().min();
        if !group.pop() {
            return least;
        }
    }
}

/// The files of a version of control groups.
struct GroupFiles {
    mount: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// In `memory.stat`: disk cache that the system drops before memory runs out.
    cache: &'static str,
}

const VERSION_1: GroupFiles = GroupFiles {
    mount: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cache: "total_inactive_file",
};

const VERSION_2: GroupFiles = GroupFiles {
    mount: "sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    cache: "inactive_file",
};

fn available_in_group(group: &Path, files: &GroupFiles) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse().ok();
    // `max` means no limit and does not parse as a number.
    let limit: u64 = number(files.limit)?;
    let usage: u64 = number(files.usage)?;
    let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let cache =
        statistics.lines().find_map(|line| line.strip_prefix(files.cache)?.trim().parse().ok());
    Some(limit.saturating_sub(usage.saturating_sub(cache.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        root
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = system(&[
            ("proc/self/cgroup", "0::/user/job\n"),
            ("sys/fs/cgroup/user/job/memory.max", "max\n"),
            ("sys/fs/cgroup/user/job/memory.current", "900\n"),
            ("sys/fs/cgroup/user/memory.max", "1000\n"),
            ("sys/fs/cgroup/user/memory.current", "600\n"),
            ("sys/fs/cgroup/user/memory.stat", "anon 300\ninactive_file 250\n"),
        ]);
        assert_eq!(available_in_control_groups(root.path()), Some(650));
    }

    #[test]
    fn the_first_version_of_control_groups() {
        let root = system(&[
            ("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/not/seen/here\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "6000\n"),
        ]);
        assert_eq!(available_in_control_groups(root.path()), Some(0));
    }

    #[test]
    fn no_limit() {
        assert_eq!(available_in_control_groups(system(&[]).path()), None);
        let root = system(&[("proc/self/cgroup", "0::/\n")]);
        assert_eq!(available_in_control_groups(root.path()), None);
    }

    #[test]
    fn figure_of_linux() {
        let status = "VmPeak:\t    9000 kB\nVmHWM:\t    1852 kB\nVmRSS:\t      12 kB\n";
        assert_eq!(own_peak(status), Some(ByteSize::kib(1852)));
        assert_eq!(own_peak("VmHWM:\t much\n"), None);
    }

    #[test]
    fn this_machine() {
        assert!(safe_share() > ByteSize::mib(1));
        assert!(!cfg!(unix) || peak().is_some_and(|peak| peak > ByteSize::mib(1)));
    }
}
