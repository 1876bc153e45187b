namespace Cluster.Testing;

/// <summary>Where the repository lies that this test was built from. Stateless.</summary>
public static class RepositoryFolder
{
    /// <summary>The folder of <c>Cluster.sln</c>, or the working directory when no folder above the test holds
    /// it.</summary>
    public static string Path { get; } = Find();

    private static string Find()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "Cluster.sln")))
            folder = folder.Parent;
        return folder?.FullName ?? ".";
    }
}
