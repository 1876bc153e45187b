namespace Cluster.Testing;

/// <summary>A temporary folder for one test, which deletes it at its end.</summary>
public sealed class TemporaryFolder : IDisposable
{
    /// <summary>The folder.</summary>
    public string Path { get; } = Directory.CreateTempSubdirectory("cluster-test-").FullName;

    /// <summary>Deletes the folder with everything in it.</summary>
    public void Dispose() => Directory.Delete(Path, recursive: true);
}
