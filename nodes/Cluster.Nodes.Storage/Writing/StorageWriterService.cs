namespace Cluster.Nodes.Storage.Writing;

/// <summary>Gives the requests of other nodes to the writers of this one. Immutable.</summary>
internal sealed class StorageWriterService(IEnumerable<IStateWriter> writers) : IStorageWriter
{
    private readonly Dictionary<string, IStateWriter> _writers = writers.ToDictionary(writer => writer.Name);

    public async ValueTask<FlushReply> FlushAsync(FlushRequest request, CancellationToken cancellationToken) =>
        _writers.TryGetValue(request.State, out var writer)
            ? await writer.FlushAsync(request, cancellationToken).ConfigureAwait(false)
            : Unknown(request);

    public async ValueTask<FlushReply> NoteAsync(FlushRequest request, CancellationToken cancellationToken) =>
        _writers.TryGetValue(request.State, out var writer)
            ? await writer.NoteAsync(request, cancellationToken).ConfigureAwait(false)
            : Unknown(request);

    private static FlushReply Unknown(FlushRequest request) => new()
    {
        Failure = $"the owner has no stored state '{LogText.Clean(request.State)}'; call AddStoredState for it on "
            + "every node.",
    };
}
