using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Production code uses no wall clock, no sleeps, no shared or unseeded randomness, and does not block on
/// tasks. The analyzer bans the same symbols, but a pragma could silence it. One file alone asks the operating system
/// for a clock.</summary>
internal sealed class ClockAndRandomRule : IRule
{
    private static readonly string[] BannedMembers =
    [
        "DateTime.Now", "DateTime.UtcNow", "DateTime.Today", "DateTimeOffset.Now", "DateTimeOffset.UtcNow",
        "Environment.TickCount", "Environment.TickCount64", "Thread.Sleep", "Random.Shared", "Type.GetType",
        "Assembly.Load", "Task.WaitAll", "Task.WaitAny", "Thread.SpinWait",
    ];

    private const string Blocking = ".GetAwaiter().GetResult";

    private const string ClockFile = "nodes/Cluster.Nodes/Clocks/BootClock.cs";

    private static readonly string[] SystemClocks =
    [
        "clock_gettime", "gettimeofday", "GetTickCount64", "QueryInterruptTime", "QueryPerformanceCounter",
        "mach_absolute_time", "mach_continuous_time",
    ];

    private static readonly string[] ClockTakers = ["CancellationTokenSource", "PeriodicTimer"];

    public string Name => "clock-and-random";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from node in source.Root.DescendantNodes()
        let problem = node switch
        {
            MemberAccessExpressionSyntax access when BannedMembers.Contains(access.ToString()) => access.ToString(),
            MemberAccessExpressionSyntax access when access.ToString().EndsWith(Blocking, StringComparison.Ordinal) =>
                "blocking on a task",
            ObjectCreationExpressionSyntax { Type: var type, ArgumentList.Arguments.Count: 0 }
                when type.ToString() == "Random" => "randomness without a seed",
            ObjectCreationExpressionSyntax { Type: var type, ArgumentList.Arguments.Count: 1 }
                when ClockTakers.Contains(type.ToString()) => $"a {type} without a TimeProvider",
            MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.Text: "Stopwatch" } } =>
                "a stopwatch instead of a TimeProvider",
            AttributeSyntax { Name: IdentifierNameSyntax { Identifier.Text: "DllImport" or "LibraryImport" } } import
                when source.Path != ClockFile && SystemClocks.Any(clock => Names(import, clock)) =>
                "a clock of the operating system",
            _ => null,
        }
        where problem is not null
        select source.At(node, $"{problem} is banned here");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C { object M() => DateTime.UtcNow; }"),
        RepositorySnapshot.OfSource("class C { void M() => Thread.Sleep(1); }"),
        RepositorySnapshot.OfSource("class C { object M() => new Random(); }"),
        RepositorySnapshot.OfSource("class C { object M() => new CancellationTokenSource(delay); }"),
        RepositorySnapshot.OfSource("class C { object M() => new PeriodicTimer(delay); }"),
        RepositorySnapshot.OfSource("class C { object M() => Stopwatch.StartNew(); }"),
        RepositorySnapshot.OfSource("class C { void M() => Run().GetAwaiter().GetResult(); }"),
        RepositorySnapshot.OfSource(
            "class C { [DllImport(\"libc\", EntryPoint = \"clock_gettime\")] static extern int M(); }"),
    ];

    private static bool Names(AttributeSyntax import, string clock) =>
        import.ToString().Contains($"\"{clock}\"", StringComparison.Ordinal);
}
