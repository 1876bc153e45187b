using Cluster.Pile.Hosting;

namespace Cluster.Nodes.Stores.Files;

/// <summary>Turns what the file system throws into the store's own error, which says what the caller can do.
/// Stateless.</summary>
internal static class FileErrors
{
    public static async ValueTask<T> TranslateAsync<T>(string description, Func<ValueTask<T>> operation)
    {
        try
        {
            return await operation().ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Translate(description, failure);
        }
    }

    public static ClusterStoreException Translate(string description, Exception failure)
    {
        if (failure is UnauthorizedAccessException)
        {
            return new ClusterStoreException(
                ClusterStoreError.Unusable,
                $"The {description} refuses access: {failure.Message} Grant this process the right, or choose another "
                + "folder.",
                failure);
        }

        // Unreachable, because a running node waits until there is room again.
        return new ClusterStoreException(
            ClusterStoreError.Unreachable,
            DiskErrors.IsFull(failure)
                ? $"The {description} could not write, because the disk is full: {failure.Message} Make room on it, or "
                    + "choose another folder."
                : $"The {description} did not answer: {failure.Message}",
            failure);
    }

    public static async ValueTask TranslateAsync(string description, Func<ValueTask> operation) =>
        await TranslateAsync(
            description,
            async () =>
            {
                await operation().ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
}
