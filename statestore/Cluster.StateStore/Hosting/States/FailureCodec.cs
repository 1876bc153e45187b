using Cluster.Slim;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Turns an exception that an operation throws into a part of the reply, and back. A caller on the owner
/// itself gets its exception through this codec too, so that all callers see the same exception. Immutable and
/// thread-safe.</summary>
internal sealed class FailureCodec
{
    /// <summary>The most exceptions of one chain that are sent.</summary>
    public const int ChainMax = 16;

    /// <summary>The most entries of <see cref="Exception.Data"/> that are sent as text.</summary>
    public const int EntriesMax = 64;

    /// <summary>The longest text, in characters; a longer one is cut.</summary>
    public const int TextMax = 8_192;

    /// <summary>The largest serialized exception, in bytes; of a larger one only the text is sent.</summary>
    public const int GraphBytesMax = 256 << 10;

    private readonly SlimSerializer _serializer;

    public FailureCodec(IEnumerable<Action<SlimOptions>> configurations)
    {
        var types = new SlimOptions { Schema = SlimSchema.Known };
        types.Limits.MaxMessageBytes = GraphBytesMax;
        types.Allow<Exception>();

        // Exceptions that this library throws while an operation runs.
        types.Allow<StateRefusedException>();
        types.Allow<StateFormatException>();
        types.Alias(
            "Cluster.StateStore.Errors.StateRefusedException, Cluster.StateStore", typeof(StateRefusedException));
        types.Allow<SlimTypeNotAllowedException>();
        types.Allow<SlimTypeNotSupportedException>();
        types.Allow<SlimLimitException>();
        types.Allow<SlimMalformedException>();
        types.Allow<SlimLayoutException>();
        foreach (var configure in configurations)
            configure(types);
        _serializer = new SlimSerializer(types);
    }

    public StateFailure Write(Exception exception) => new()
    {
        Graph = TryWriteGraph(exception),
        Faults = [.. ChainOf(exception).Select(Describe)],
    };

    public Exception Read(StateFailure failure) => TryReadGraph(failure.Graph) ?? ReadText(failure.Faults);

    private byte[]? TryWriteGraph(Exception exception)
    {
        try
        {
            var graph = _serializer.Serialize<Exception>(exception);
            return graph.Length <= GraphBytesMax ? graph : null;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The type is not allowed, the exception is too large, or its own code throws while it is written: its text
            // is sent alone.
            return null;
        }
    }

    private Exception? TryReadGraph(byte[]? graph)
    {
        if (graph is null)
            return null;
        try
        {
            return _serializer.Deserialize<Exception>(graph);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // This process does not know one of the types: the text says what happened.
            return null;
        }
    }

    private static RemoteException ReadText(StateFault[] faults)
    {
        RemoteException? outer = null;
        foreach (var fault in faults.Take(ChainMax).Reverse())
        {
            outer = new RemoteException(fault.TypeName, fault.Message, fault.StackTrace, outer);
            for (var index = 0; index + 1 < fault.Data.Length; index += 2)
                outer.Data[fault.Data[index] ?? ""] = fault.Data[index + 1];
        }

        return outer ?? new RemoteException("", "The operation failed; the owner did not say why.", null);
    }

    private static IEnumerable<Exception> ChainOf(Exception exception)
    {
        var next = exception;
        for (var count = 0; next is not null && count < ChainMax; next = next.InnerException, count++)
            yield return next;
    }

    private static StateFault Describe(Exception exception) => new()
    {
        TypeName = (exception as RemoteException)?.TypeName ?? exception.GetType().FullName ?? "",
        Message = Ask(() => exception.Message) ?? "(the exception's message cannot be read)",
        StackTrace = Ask(() => (exception as RemoteException)?.RemoteStackTrace ?? exception.StackTrace),
        Data = EntriesOf(exception),
    };

    private static string?[] EntriesOf(Exception exception)
    {
        var entries = new List<string?>();
        try
        {
            foreach (DictionaryEntry entry in exception.Data)
            {
                if (entries.Count >= 2 * EntriesMax)
                    break;
                entries.Add(TextOf(entry.Key) ?? "");
                entries.Add(entry.Value is null ? null : TextOf(entry.Value));
            }
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // Data is virtual, and its keys and values are the user's: an entry that throws ends the list.
            if (entries.Count % 2 != 0)
                entries.RemoveAt(entries.Count - 1);
        }

        return [.. entries];
    }

    private static string? TextOf(object value) => Cut(Convert.ToString(value, CultureInfo.InvariantCulture));

    // Message and StackTrace are virtual: an exception may throw when it is asked for them.
    private static string? Ask(Func<string?> read)
    {
        try
        {
            return Cut(read());
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return null;
        }
    }

    private static string? Cut(string? text) => text is null || text.Length <= TextMax ? text : text[..TextMax];
}
