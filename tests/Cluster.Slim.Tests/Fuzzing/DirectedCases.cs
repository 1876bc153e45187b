namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>The rules that mutations of the corpus do not break in every run, each with a case of its own.</summary>
internal static class DirectedCases
{
    public static IReadOnlyList<DirectedCase> All { get; } =
    [
        .. DirectedValues.All(), .. DirectedCollections.All(), .. DirectedSkipping.All(), .. DirectedCode.All(),
        .. DirectedHost.All(), .. DirectedFramework.All(),
    ];
}
