namespace Cluster.Testing;

/// <summary>The assemblies that a test process may load, for tests that compile or inspect code. Stateless.</summary>
public static class PlatformAssemblies
{
    /// <summary>The paths of all such assemblies: .NET, packages, and the projects that the test refers to.</summary>
    public static IReadOnlyList<string> Paths { get; } =
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
}
