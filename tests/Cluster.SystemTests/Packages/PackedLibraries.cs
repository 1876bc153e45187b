using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>The packages of all libraries in a folder of their own, packed from what this test run was built with.
/// Deleted with the object. Packed once for all tests of the collection.</summary>
[CollectionDefinition(nameof(PackedLibraries))]
public sealed class PackedLibraries : IAsyncLifetime, ICollectionFixture<PackedLibraries>
{
    private DirectoryInfo? _folder;

    internal string Folder => _folder!.FullName;

    public async Task InitializeAsync()
    {
        _folder = Directory.CreateTempSubdirectory("packages");
        await DotnetCommand.RunAsync(
            RepositoryFolder.Path, "pack", "Cluster.sln", "-c", DotnetCommand.Configuration, "--no-build", "-o", Folder);
    }

    public Task DisposeAsync()
    {
        _folder?.Delete(recursive: true);
        return Task.CompletedTask;
    }
}
