using Cluster.Glue.Scheduling;
using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Signatures;

/// <summary>The serializer of one contract, closed over the types that its methods name, with reusable writers and
/// readers. Shared by all calls; one thread at a time borrows each writer and reader.</summary>
internal sealed class ContractSerializer
{
    private readonly ContractDescription _contract;
    private readonly SlimSerializer _serializer;
    private readonly ThreadSlots<SlimMessageWriter> _writers = new();
    private readonly ThreadSlots<SlimMessageReader> _readers = new();
    private readonly ConcurrentDictionary<Type, bool> _reaches = new();

    private readonly Lazy<ContractSerializer> _described;

    public ContractSerializer(
        ContractDescription contract,
        int messageBytesMax,
        Action<SlimOptions>? configureTypes,
        SlimSchema schema = SlimSchema.Known)
    {
        // Messages that describe their types go to other builds, which may be older than a rename.
        var options = new SlimOptions { Schema = schema, WriteOldNames = schema == SlimSchema.Full };
        // Glue's own limit applies, with an error that names it; Slim's limit must not be smaller.
        options.Limits.MaxMessageBytes = GlueLimits.MessageBytesHighest;
        options.Limits.MaxGraphBytes = Math.Max(options.Limits.MaxGraphBytes, 2L * messageBytesMax);
        // Before the user's options: a type that they allow by name is data.
        options.UseExternalReferences(ReferenceRules.IsReference);
        foreach (var type in contract.TravellingTypes.Where(type => !ReferenceRules.IsReference(type)))
            options.Allow(type);
        // Any method may throw: the framework's own exceptions are on every contract's list.
        options.Allow<Exception>();
        TypeAliases.Apply(contract, options);
        configureTypes?.Invoke(options);
        _contract = contract;
        _serializer = new SlimSerializer(options);
        _described = new Lazy<ContractSerializer>(
            () => new ContractSerializer(contract, messageBytesMax, configureTypes, SlimSchema.Full));
    }

    /// <summary>Writes messages that describe their types, for peers of another build. Readers accept both
    /// forms.</summary>
    public ContractSerializer Described => _described.Value;

    /// <summary>The types over which the contract's generic methods may be closed; each call creates the list
    /// again.</summary>
    public TypeArgumentList NewTypeArgumentList() => new(_contract, _serializer);

    /// <summary>The serializer for messages of one root without references.</summary>
    public SlimSerializer Slim => _serializer;

    public SlimMessageWriter RentWriter() => _writers.TryTake() ?? new SlimMessageWriter(_serializer);

    public void Return(SlimMessageWriter writer) => _writers.Put(writer);

    public SlimMessageReader RentReader() => _readers.TryTake() ?? new SlimMessageReader(_serializer);

    public void Return(SlimMessageReader reader) => _readers.Put(reader);

    /// <summary>Whether values of the type may hold objects or streams passed by reference.</summary>
    public bool ReachesReferences<T>() => ReachesReferences(typeof(T));

    /// <summary>Whether values of the type may hold objects or streams passed by reference.</summary>
    public bool ReachesReferences(Type type) =>
        _reaches.GetOrAdd(type, static (one, slim) => SlimExternalReferences.AreReachedFrom(slim, one), _serializer);

    public void Write<T>(T root, IBufferWriter<byte> output, ISlimReferences references)
    {
        var writer = RentWriter();
        try
        {
            writer.Begin(output, references);
            writer.Write(root);
            writer.Complete();
        }
        catch
        {
            writer.Abort();
            throw;
        }
        finally
        {
            Return(writer);
        }
    }

    /// <summary>Reads a message of one root. Bytes in it that may lie anywhere lie in arrays of the shared
    /// pool.</summary>
    public T Read<T>(ReadOnlyMemory<byte> message, ISlimReferences? references = null)
    {
        var reader = RentReader();
        try
        {
            reader.Begin(new ReadOnlySequence<byte>(message), references, SlimBytesMemory.Pooled);
            var root = reader.Read<T>();
            reader.Complete();
            return root;
        }
        catch
        {
            reader.Abort();
            throw;
        }
        finally
        {
            Return(reader);
        }
    }

    /// <summary>A hash that is equal on two nodes when values of the method's types have the same layout on
    /// both.</summary>
    public ulong FingerprintOf(ContractMethod method) =>
        SignatureHash.Combine(method.ArgumentTypes.Append(method.ResultType)
            .Where(type => type != typeof(Nothing))
            .SelectMany(static IEnumerable<Type> (type) =>
                ReferenceRules.IsStream(type) ? type.GetGenericArguments().Prepend(type) : [type])
            .Select(type => SlimLayouts.FingerprintOf(_serializer, type)));

    /// <summary>What a root of the type is like here, for a peer of another build; empty where no two builds
    /// differ.</summary>
    public byte[] DescriptionOf(Type type) =>
        type == typeof(Nothing) || SlimLayouts.IsFixed(type)
            ? []
            : SlimLayouts.DescriptionOf(Described._serializer, type);

    /// <summary>Why roots that a peer describes cannot be read as the type here; null when they can.</summary>
    public string? FindObstacle(Type type, byte[] description) =>
        type == typeof(Nothing) || SlimLayouts.IsFixed(type)
            ? null
            : SlimLayouts.FindObstacle(_serializer, type, description) is { } obstacle
                ? ClosedListText.Why(obstacle)
                : null;
}
