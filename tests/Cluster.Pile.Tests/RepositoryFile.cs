namespace Cluster.Pile.Tests;

/// <summary>Files of the repository that the tests run in: pages, sources and what earlier versions wrote.</summary>
internal static class RepositoryFile
{
    /// <summary>The full path of a file or folder, whether there is one or not.</summary>
    public static string PathOf(string path)
    {
        for (var folder = AppContext.BaseDirectory; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Join(folder, "Cluster.sln")))
                return Path.Join(folder, path);
        }

        throw new InvalidOperationException("The tests do not run inside the repository.");
    }
}
