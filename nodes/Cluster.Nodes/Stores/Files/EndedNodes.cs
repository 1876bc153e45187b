using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores.Files;

/// <summary>Removes the files of incarnations that ended long ago and that the table does not list, so that the folder
/// stays small. Each new registration runs it. The locks of living nodes protect their files. Stateless.</summary>
internal static class EndedNodes
{
    public static async ValueTask RemoveAsync(
        StoreFolder folder, ClusterFiles files, TimeProvider time, CancellationToken cancellationToken)
    {
        var table = await files.ReadTableAsync(cancellationToken).ConfigureAwait(false);
        var listed = new HashSet<string>(StringComparer.Ordinal);
        foreach (var member in table?.Members ?? [])
        {
            if (member.State != MemberState.Gone)
                listed.Add(folder.LifePathOf(member.Node.Incarnation));
        }

        var oldest = time.GetUtcNow() - FileStoreLimits.EndedLifeRetention;
        foreach (var path in Directory.EnumerateFiles(folder.LivesFolder, "*.life").Take(
            FileStoreLimits.EndedLivesRemovedMax))
        {
            if (!listed.Contains(path) && File.GetLastWriteTimeUtc(path) < oldest)
                TryRemove(path);
        }
    }

    private static void TryRemove(string path)
    {
        try
        {
            NodeLock.RemoveIfOver(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Another process was faster, or will remove it later.
        }
    }
}
