# Recipes for development; `just` alone lists them

_default:
    @just --list

# Run everything that must pass before a change is merged; `just ci lint test` runs some parts
ci *PARTS:
    .ci/run {{PARTS}}

# Check the format and the lints
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# Refuse import cycles: `just check-cycles --crate db` in one crate
check-cycles *ARGS:
    scripts/check-cycles.py {{ARGS}}

# Run the tests that need nothing but Rust, without the long ones; `just test -p merels-core`
test *ARGS:
    cargo test --workspace {{ARGS}}

# Run all tests, also the long ones and those that need Python, a browser or a mount
test-all:
    cargo test --workspace -- --include-ignored

# Run the long tests only
test-long:
    cargo test --workspace -- --ignored long::

# Build the documentation of the crates, with warnings as errors
docs:
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps

# Solve all subspaces with at most eight stones on the board, in a second or two
solve-small DB="db":
    cargo run --release -- solve --up-to 8 --db {{DB}}

# Solve the whole game
solve DB="db":
    cargo run --release -- solve --db {{DB}}

# Show databases in a browser: http://127.0.0.1:7878/
serve DB="db":
    cargo run --release -- serve --db {{DB}}

# Measure a server beside clients that never read, idle ones and histograms
load DB="db":
    MERELS_LOAD_DB={{absolute_path(DB)}} cargo test --release -p merels-serve --test load -- --nocapture

# Check every entry of the databases in a folder
verify DB="db":
    cargo run --release -- verify --full --db {{DB}}

# Write shell completions and manual pages into a folder
shell DIR="target/shell":
    mkdir -p {{DIR}}
    cargo run --release -- man --dir {{DIR}}/man1
    for shell in bash elvish fish powershell zsh; do cargo run --release -q -- completions $shell > {{DIR}}/merels.$shell; done

# Time the building blocks: `just bench decode` (look-ups need a whole game in MERELS_DB)
bench *ARGS:
    cargo bench --workspace --bench '*' -- {{ARGS}}

# Print one line that two builds can compare: a digest of a small solve and the times of its stages
fingerprint:
    cargo bench -q -p merels-solver --bench fingerprint

# Show where the time of solving goes: for one pair (`just bench-solve 7-5`) or the whole game
bench-solve *ARGS:
    scripts/bench-solve.sh {{ARGS}}

# Invent inputs for each parser for a minute; `just fuzz 600 game table`: ten minutes for these two
fuzz SECONDS="60" *TARGETS:
    scripts/fuzz.sh run {{SECONDS}} {{TARGETS}}

# Keep the smallest inputs with the coverage of all found ones
fuzz-keep *TARGETS:
    scripts/fuzz.sh keep {{TARGETS}}

# Print the counts of a folder as a Markdown table
results DB="db":
    scripts/results-table.sh {{DB}}
