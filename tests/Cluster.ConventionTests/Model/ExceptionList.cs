namespace Cluster.ConventionTests.Model;

/// <summary>The list of allowed violations, <c>exceptions.txt</c>. A line is <c>rule | path | reason</c>. At most
/// twenty lines are allowed; more need a decision record. Immutable.</summary>
internal sealed class ExceptionList
{
    public const string ListPath = "tests/Cluster.ConventionTests/exceptions.txt";
    public const int EntryCountMax = 20;

    private ExceptionList(IReadOnlyList<(string Rule, string Path, string Reason)> entries) => Entries = entries;

    public IReadOnlyList<(string Rule, string Path, string Reason)> Entries { get; }

    public static ExceptionList Read(RepositorySnapshot repository) => new(
        [.. repository.ListLines(ListPath).Select(line => line.Split('|', 3)).Select(parts => parts.Length == 3
            ? (parts[0].Trim(), parts[1].Trim(), parts[2].Trim())
            : throw new FormatException($"{ListPath}: expected 'rule | path | reason', found '{parts[0]}'"))]);

    public bool Covers(IRule rule, Violation violation) =>
        Entries.Any(entry => entry.Rule == rule.Name && entry.Path == violation.Path);
}
