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
        catch (UnauthorizedAccessException failure)
        {
            throw new ClusterStoreException(
                ClusterStoreError.Unusable,
                $"The {description} refuses access: {failure.Message} Grant this process the right, or choose another "
                + "folder.",
                failure);
        }
        catch (IOException failure)
        {
            throw new ClusterStoreException(
                ClusterStoreError.Unreachable, $"The {description} did not answer: {failure.Message}", failure);
        }
    }

    internal static async ValueTask TranslateAsync(string description, Func<ValueTask> operation) =>
        await TranslateAsync(
            description,
            async () =>
            {
                await operation();
                return true;
            });
}
