namespace Cluster.SystemTests.Packages;

/// <summary>A project that references the package of the analyzers gets their reports from the compiler.</summary>
[Collection(nameof(PackedLibraries))]
public sealed class AnalyzerPackageTests(PackedLibraries packed) : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("analyzed");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Build_OfAProjectWithMistakes_ReportsThem()
    {
        PackageFeed.Use(_folder.FullName, packed.Folder);
        // One version for all packages: that of the file of the analyzers.
        var package = Directory.GetFiles(packed.Folder, "Cluster.Analyzers.*.nupkg").Single();
        var version = Path.GetFileNameWithoutExtension(package)["Cluster.Analyzers.".Length..];
        Write("Mistakes.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="Cluster.Analyzers" Version="{version}" PrivateAssets="all" />
                <PackageReference Include="Cluster.Nodes" Version="{version}" />
              </ItemGroup>
            </Project>
            """);
        Write("Mistakes.cs", """
            using Cluster.Nodes.Hosting;
            using Cluster.StateStore;

            public interface IStock
            {
                event Action<string> SoldOut;

                Task<int> CountAsync(string product, CancellationToken cancellationToken = default);
            }

            public sealed class Shelf
            {
                public Task? Delivery { get; set; }
            }

            public sealed class Restock : IStateOperation<Shelf, long>
            {
                public long Apply(ref Shelf? state, in OperationContext context) => DateTime.UtcNow.Ticks;
            }

            public static class Mistakes
            {
                public static void Add(ClusterBuilder cluster) =>
                    cluster.AddClient<IStock>().AddState<string, Shelf>("shelves");

                public static int Count(IStock stock) => stock.CountAsync("tea").Result;
            }
            """);

        var output = await DotnetCommand.RunAsync(_folder.FullName, "build");

        string[] rules = ["CLU0001", "CLU0002", "CLU0004", "CLU0006"];
        Assert.All(rules, rule => Assert.Contains($"warning {rule}: ", output, StringComparison.Ordinal));
    }

    private void Write(string name, string text) => File.WriteAllText(Path.Combine(_folder.FullName, name), text);
}
