namespace Cluster.Nodes.Tests.Stores;

/// <summary>A temporary folder for one test, which deletes it at its end.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("cluster-store-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
