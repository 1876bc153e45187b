using System.IO.Compression;
using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>Builds a library from a copy of the repository in another folder. The test deletes the folder.</summary>
[Trait("Case", "repair-D")]
public sealed class PackageBuildTests : IDisposable
{
    private const string Library = "contracts/Cluster.Contracts";
    private const string Name = "Cluster.Contracts";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("copy");

    public PackageBuildTests()
    {
        var repository = new DirectoryInfo(RepositoryFolder.Path);
        // In a work tree of git, .git is a file that leads to the repository of this test.
        foreach (var file in repository.GetFiles().Where(file => file.Name is not ("Cluster.sln" or ".git")))
            file.CopyTo(Path.Combine(_folder.FullName, file.Name));
        Copy("deploy");
        Copy(Library);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Library_BuiltInAnotherFolder_IsTheSame_ByteForByte()
    {
        await CommitAsync();
        await DotnetCommand.RunProgramAsync(
            "git", _folder.FullName, "remote", "add", "origin", "https://github.com/somebody/fork");
        await DotnetCommand.RunAsync(_folder.FullName, "build", Library, "-c", DotnetCommand.Configuration);

        // A repository that nobody asked to name would be named in the symbols, which are compared, too.
        foreach (var file in new[] { Name + ".dll", Name + ".pdb" })
        {
            var path = Path.Combine(Library, "bin", DotnetCommand.Configuration, "net10.0", file);
            var here = await File.ReadAllBytesAsync(Path.Combine(RepositoryFolder.Path, path));
            Assert.Equal(here, await File.ReadAllBytesAsync(Path.Combine(_folder.FullName, path)));
        }
    }

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Library_WithARepositoryAddress_BearsIt_AndItsSourceLink()
    {
        var revision = await CommitAsync();
        await DotnetCommand.RunAsync(
            _folder.FullName, "pack", Library, "-c", "Release", "-o", "out",
            "-p:ClusterRepositoryUrl=https://github.com/example/cluster");

        using var package = ZipFile.OpenRead(Directory.GetFiles(Path.Combine(_folder.FullName, "out"), "*.nupkg").Single());
        using var description = new StreamReader(package.GetEntry(Name + ".nuspec")!.Open());
        var text = await description.ReadToEndAsync();
        Assert.Contains("url=\"https://github.com/example/cluster\"", text, StringComparison.Ordinal);
        Assert.Contains($"commit=\"{revision}\"", text, StringComparison.Ordinal);
        var symbols = await File.ReadAllTextAsync(
            Path.Combine(_folder.FullName, Library, "bin", "Release", "net10.0", Name + ".pdb"));
        Assert.Contains(
            $"https://raw.githubusercontent.com/example/cluster/{revision}/*", symbols, StringComparison.Ordinal);
    }

    private async Task<string> CommitAsync()
    {
        await GitAsync("init", "--quiet");
        await GitAsync("add", ".");
        await GitAsync("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "copy");
        return (await GitAsync("rev-parse", "HEAD")).Trim();
    }

    private Task<string> GitAsync(params string[] arguments) =>
        DotnetCommand.RunProgramAsync("git", _folder.FullName, arguments);

    private void Copy(string path)
    {
        var source = Path.Combine(RepositoryFolder.Path, path);
        foreach (var file in Directory.GetFiles(source, "*", SearchOption.AllDirectories))
        {
            var relative = Path.GetRelativePath(RepositoryFolder.Path, file);
            if (relative.Split(Path.DirectorySeparatorChar) is var parts && (parts.Contains("bin") || parts.Contains("obj")))
                continue;
            var target = Path.Combine(_folder.FullName, relative);
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }
}
