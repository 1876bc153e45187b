using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>The two commands in the README are the whole set-up, and <c>.ci/run</c> calls exactly its test
/// command.</summary>
internal sealed class CommandRule : IRule
{
    private const string SampleCommand = "dotnet run --project nodes/Shop -c Release";
    private const string TestCommand = "dotnet test Cluster.sln -c Release";

    private static readonly (string Path, string Command)[] Required =
        [("README.md", SampleCommand), ("README.md", TestCommand), (".ci/run", TestCommand)];

    public string Name => "commands";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => Required
        .Where(entry => !HasLine(repository.Files.GetValueOrDefault(entry.Path, ""), entry.Command))
        .Select(entry => new Violation(entry.Path, $"has no line with the command '{entry.Command}'"));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(("README.md", $"{SampleCommand}\n{TestCommand}\n"), (".ci/run", "dotnet test\n")),
        RepositorySnapshot.Of(("README.md", $"{TestCommand}\n"), (".ci/run", $"{TestCommand}\n")),
    ];

    // The script may add the folder of result files after the command, but nothing before it.
    private static bool HasLine(string text, string command) =>
        text.Split('\n').Any(line => line.Trim().StartsWith(command, StringComparison.Ordinal));
}
