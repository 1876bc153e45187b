using System.Text.RegularExpressions;
using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>Builds and runs the quick start of the README with nothing but the packages. The code comes from the
/// README's text.</summary>
[Collection(nameof(PackedLibraries))]
[Trait("Case", "repair-D")]
public sealed partial class PackageUseTests(PackedLibraries packed) : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("quick-start");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task QuickStart_OfTheReadme_BuildsAndRunsFromThePackages()
    {
        var readme = await File.ReadAllTextAsync(Path.Combine(RepositoryFolder.Path, "README.md"));
        Write("Quick.csproj", Assert.Single(BlocksOf(readme, "xml")));
        var code = BlocksOf(readme, "csharp");
        Assert.Equal(2, code.Count);
        Write("Cart.cs", code[0]);
        Write("Program.cs", code[1] + """
            Console.WriteLine($"cart: {string.Join(',', cart.Lines)}");
            await host.StopAsync();
            """);
        PackageFeed.Use(_folder.FullName, packed.Folder);

        await DotnetCommand.RunAsync(_folder.FullName, "build", "-c", "Release", "-o", "out");
        var output = await DotnetCommand.RunProgramAsync("dotnet", _folder.FullName, "out/Quick.dll");

        Assert.Contains("cart: tea", output, StringComparison.Ordinal);
    }

    private static IReadOnlyList<string> BlocksOf(string page, string language) =>
        [.. Block().Matches(page).Where(match => match.Groups[1].Value == language).Select(match => match.Groups[2].Value)];

    private void Write(string name, string text) => File.WriteAllText(Path.Combine(_folder.FullName, name), text);

    [GeneratedRegex("```(xml|csharp)\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();
}
