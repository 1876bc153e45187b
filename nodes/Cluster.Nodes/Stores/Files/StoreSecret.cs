using System.Text;

namespace Cluster.Nodes.Stores.Files;

/// <summary>
/// The cluster's secret as a file that only the user of this process may read. Whoever comes first makes it, whole or
/// not at all; it never changes. Stateless.
/// </summary>
internal static class StoreSecret
{
    private const int BytesMax = 4_096;

    /// <summary>Reads the secret, and makes it where there is none.</summary>
    /// <param name="path">The file.</param>
    /// <param name="make">Makes the text of a new secret.</param>
    internal static string Read(string path, Func<string> make)
    {
        if (!File.Exists(path)) Make(path, make());
        using var handle = StoreHandle.Open(path, FileMode.Open, FileAccess.Read, FileShare.Read);
        var bytes = new byte[BytesMax];
        var text = Encoding.UTF8.GetString(bytes.AsSpan(0, RandomAccess.Read(handle, bytes, 0))).Trim();
        return text.Length > 0 ? text : throw StoreFileFormat.Damaged(path, "it is empty");
    }

    private static void Make(string path, string text)
    {
        // A file of its own and no overwriting: of several processes that start together, one wins, and all read its
        // file.
        var fresh = $"{path}.{Guid.NewGuid():N}.new";
        try
        {
            using (var handle = StoreHandle.Open(fresh, FileMode.CreateNew, FileAccess.Write, FileShare.None))
            {
                RandomAccess.Write(handle, Encoding.UTF8.GetBytes(text + "\n"), 0);
                RandomAccess.FlushToDisk(handle);
            }

            File.Move(fresh, path);
        }
        catch (IOException) when (File.Exists(path))
        {
            // Another process was faster.
        }
        finally
        {
            File.Delete(fresh);
        }
    }
}
