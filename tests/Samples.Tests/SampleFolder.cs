namespace Samples.Tests;

/// <summary>A folder of one test. Disposal deletes it.</summary>
internal sealed class SampleFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("cluster-sample-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
