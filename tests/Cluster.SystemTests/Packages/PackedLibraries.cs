using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>The packages of all libraries in a temporary folder, packed from the build of this test run. Packed once
/// for all tests of the collection; disposal deletes the folder.</summary>
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
