namespace Cluster.SystemTests.Packages;

/// <summary>The templates of the packed package, installed apart from those of the user. Disposal deletes
/// them.</summary>
public sealed class TemplateHive(PackedLibraries packed) : IAsyncLifetime
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("hive");

    /// <inheritdoc />
    public Task InitializeAsync() =>
        RunAsync(packed.Folder, "install", Directory.GetFiles(packed.Folder, "Cluster.Templates.*.nupkg").Single());

    /// <summary>Creates what a template makes, and the sources of its packages.</summary>
    /// <param name="folder">The folder in which the new folder lies.</param>
    /// <param name="name">The name of the new project or solution.</param>
    /// <param name="arguments">The template and its options.</param>
    /// <returns>The new folder.</returns>
    internal async Task<string> CreateAsync(string folder, string name, params string[] arguments)
    {
        PackageFeed.Use(folder, packed.Folder);
        await RunAsync(folder, [.. arguments, "--name", name, "--output", name, "--no-update-check"]);
        return Path.Combine(folder, name);
    }

    /// <inheritdoc />
    public Task DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return Task.CompletedTask;
    }

    private Task<string> RunAsync(string folder, params string[] arguments) => DotnetCommand.RunProgramAsync(
        "dotnet", folder, ["new", .. arguments, "--debug:custom-hive", _folder.FullName]);
}
