using Cluster.Glue.Scheduling;
using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Signatures;

/// <summary>The serializer of one contract, closed over the types that its methods name, with reusable writers and
/// readers. Shared by all calls; each writer and reader is lent to one thread at a time.</summary>
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
        // What describes its types goes to other builds, which may be of before a rename.
        var options = new SlimOptions { Schema = schema, WriteOldNames = schema == SlimSchema.Full };
        // Glue's own limit holds, with an error that names it; Slim's must not be the smaller one.
        options.Limits.MessageBytesMax = GlueLimits.MessageBytesHighest;
        options.Limits.GraphBytesMax = Math.Max(options.Limits.GraphBytesMax, 2L * messageBytesMax);
        // Before the user's: what that allows by name is data.
        options.ClaimInterfaces(ReferenceRules.IsReference);
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

    /// <summary>Writes messages that describe their types, for peers of another build. Readers accept both.</summary>
    public ContractSerializer Described => _described.Value;

    /// <summary>What the contract's generic methods may be closed over; made anew by each call.</summary>
    public TypeArgumentList NewTypeArgumentList() => new(_contract, _serializer);

    /// <summary>For messages of one root without references.</summary>
    public SlimSerializer Slim => _serializer;

    public SlimMessageWriter RentWriter() => _writers.TryTake() ?? new SlimMessageWriter(_serializer);

    public void Return(SlimMessageWriter writer) => _writers.Put(writer);

    public SlimMessageReader RentReader() => _readers.TryTake() ?? new SlimMessageReader(_serializer);

    public void Return(SlimMessageReader reader) => _readers.Put(reader);

    /// <summary>Whether values of the type may hold what is passed by reference.</summary>
    public bool ReachesReferences<T>() => ReachesReferences(typeof(T));

    /// <summary>Whether values of the type may hold what is passed by reference.</summary>
    public bool ReachesReferences(Type type) =>
        _reaches.GetOrAdd(type, static (one, slim) => SlimClaims.ReachesClaim(slim, one), _serializer);

    /// <summary>Writes one root.</summary>
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

    /// <summary>Reads one root.</summary>
    public T Read<T>(ReadOnlyMemory<byte> message, ISlimReferences? references = null)
    {
        var reader = RentReader();
        try
        {
            reader.Begin(new ReadOnlySequence<byte>(message), references);
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

    /// <summary>Equal on two nodes when values of the method's types have the same layout on both.</summary>
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
