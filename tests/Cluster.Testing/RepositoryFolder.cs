namespace Cluster.Testing;

/// <summary>Finds the folder of the repository from which this test was built. Stateless.</summary>
public static class RepositoryFolder
{
    /// <summary>The folder of <c>Cluster.sln</c>; the working directory if no folder above the test contains that
    /// file.</summary>
    public static string Path { get; } = Find();

    private static string Find()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "Cluster.sln")))
            folder = folder.Parent;
        return folder?.FullName ?? ".";
    }
}
