namespace Cluster.Nodes.Tests.Stores;

/// <summary>A folder of a test's own, removed with it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("cluster-store-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
