namespace Cluster.Nodes.Stores.Files;

/// <summary>
/// Turns what the file system throws into the store's own error, which says what the caller can do. Stateless.
/// </summary>
internal static class FileErrors
{
    internal static async ValueTask<T> TranslateAsync<T>(string description, Func<ValueTask<T>> operation)
    {
        try
        {
            return await operation();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Translate(description, failure);
        }
    }

    internal static ClusterStoreException Translate(string description, Exception failure) =>
        failure is UnauthorizedAccessException
            ? new ClusterStoreException(
                ClusterStoreError.Unusable,
                $"The {description} refuses access: {failure.Message} Grant this process the right, or choose another "
                + "folder.",
                failure)
            : new ClusterStoreException(
                ClusterStoreError.Unreachable, $"The {description} did not answer: {failure.Message}", failure);

    internal static async ValueTask TranslateAsync(string description, Func<ValueTask> operation) =>
        await TranslateAsync(
            description,
            async () =>
            {
                await operation();
                return true;
            });
}
