namespace Cluster.SystemTests.Packages;

/// <summary>Makes projects in a folder use the packed libraries, and nothing else of this machine. Stateless.</summary>
internal static class PackageFeed
{
    private static string GlobalPackages =>
        Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    /// <summary>Writes the sources of packages for all projects in a folder. Our packages come only from the feed, and
    /// go into the folder, which the test deletes. Packages of others were restored before.</summary>
    /// <param name="folder">The folder of the projects.</param>
    /// <param name="feed">The folder of our packages.</param>
    public static void Use(string folder, string feed) => File.WriteAllText(
        Path.Combine(folder, "NuGet.config"),
        $"""
        <configuration>
          <config><add key="globalPackagesFolder" value="{Path.Combine(folder, "packages")}" /></config>
          <fallbackPackageFolders><clear /><add key="restored" value="{GlobalPackages}" /></fallbackPackageFolders>
          <packageSources><clear /><add key="feed" value="{feed}" /></packageSources>
        </configuration>
        """);
}
