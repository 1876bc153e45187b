using System.Runtime.ExceptionServices;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>What all ways of writing and reading messages share: the frozen options of one serializer, its serializers,
/// and how a failure finds out where it happened. Immutable except for its caches; safe for many threads.</summary>
internal sealed class SlimEngine : SerializerContext
{
    // Finding the member path repeats the failed write; for huge messages the offset has to do.
    private const int TracedBytesMax = 4 * 1024 * 1024;

    // Header, head and type of a root take less than this, description aside.
    private const int LeadBytesMax = 16;

    public SlimEngine(SlimOptions options)
        : base(options.Limits.Freeze(), options.Freeze(), options.Schema)
    {
        if (!BitConverter.IsLittleEndian)
            throw new PlatformNotSupportedException("Slim runs on little-endian machines only.");
        Serializers = new SerializerRegistry(Rules);
        Roots = new RootCache(Rules, Serializers);
    }

    public SerializerRegistry Serializers { get; }

    public RootCache Roots { get; }

    public override ulong FingerprintOf(Type type) => Serializers.FingerprintOf(type);

    public override byte[] Describe(Type type) => Serializers.Describe(type);

    public override void WriteRoot(SlimWriter writer, object value) =>
        RootWriter.WriteObject(writer, this, new ObjectRoot<object>((AllowSet)writer.Allowed), value);

    /// <summary>Remembers how messages begin whose root is of exactly the declared class, if the one in the place
    /// is.</summary>
    public void LearnLead(Root root, ref byte place)
    {
        var declared = root.Allowed.Root;
        if (!declared.IsValueType && root.ObjectAt(ref place)?.GetType() == declared)
            root.Lead ??= NewLead(root);
    }

    /// <summary>Works out how messages begin whose root is of exactly the declared type, which has a serializer. Null
    /// when the limits have no room for this: a message just read may have been shorter, by fingerprint for
    /// one.</summary>
    public RootLead? NewLead(Root root)
    {
        var serializer = root.Allowed.SerializerOf(root.Allowed.Root);
        var isDescribed = serializer.WireCode == 0 && Rules.Profile != SlimProfile.InProcess;
        var describedBytes = isDescribed ? WriterTypes.DescribedBytesOf(this, serializer) : 0;
        if (describedBytes > Limits.MaxTypeBytes || describedBytes > Limits.MaxMessageBytes - LeadBytesMax)
            return null;
        SlimWriter writer = new();
        RootWriter.Begin(writer, this, null);
        writer.WriteTypedHead(serializer);
        DescribedType? described = null;
        if (isDescribed)
        {
            described = new DescribedType(
                serializer.Fingerprint, Schema == SlimSchema.Full ? serializer.DescriptionText : null);
            described.Find(root.Allowed, null);
        }

        SharingProof sharing = new(root.Allowed);
        return new RootLead(serializer, described, describedBytes, writer.Written)
        {
            IsShareless = sharing.Excludes(Serializers.Layouts.Of(serializer.Type)),
            LoneElements = sharing.LoneElements,
        };
    }

    /// <summary>Throws on what a write failed with, after finding the member in which it was. Not to be called in a
    /// catch block: its code runs on top of the stack of what failed, which may have no room left.</summary>
    public void Rethrow(SlimException error, Root root, ref byte place)
    {
        // As it is now: repeating the write may throw the same exception.
        var failure = ExceptionDispatchInfo.Capture(error);
        Explain(error, root, ref place);
        error.Culprit = null;
        failure.Throw();
    }

    /// <summary>Throws on what a read failed with; the same rules apply.</summary>
    public void Rethrow(SlimException error, Root root, ReadOnlySpan<byte> message)
    {
        error.MemberPath ??= MemberPaths.Find(this, new ReaderTypes(isSession: false), message, [root]);
        ExceptionDispatchInfo.Throw(error);
    }

    /// <summary>What failed, with how far the read got.</summary>
    public static SlimException Failed(Exception error, SlimReader reader)
    {
        var failure =
            error as SlimException ?? new SlimMalformedException($"Reading failed: {error.GetType()}.", error);
        failure.Offset = reader.Offset;
        return failure;
    }

    /// <summary>What failed, with how far the write got.</summary>
    public static SlimException Failed(SlimException error, SlimWriter writer)
    {
        error.Offset = writer.BytesWritten;
        error.BytesAdvanced = writer.BytesAdvanced;
        return error;
    }

    // The catch block does nothing: it runs on top of the stack of the failed write, which may have used it up.
    private bool IsRefused(SlimWriter traced, Root root, ref byte place)
    {
        try
        {
            RootWriter.Write(traced, this, root, ref place);
            return false;
        }
        catch (SlimException)
        {
            return true;
        }
    }

    private void Explain(SlimException error, Root root, ref byte place)
    {
        if (error.MemberPath is not null || error.Offset > TracedBytesMax)
            return;
        var type = root.ObjectAt(ref place)?.GetType() ?? root.Allowed.Root;
        MemberTrace trace = new(type.Name) { Failure = error };
        SlimWriter traced = new();
        traced.Start(this, null);
        traced.Trace = trace;
        if (IsRefused(traced, root, ref place))
            error.MemberPath = trace.ToString();
    }

    /// <summary>Whether an exception during reading is turned into one of ours; damaged bytes may cause any.</summary>
    public static bool IsWrapped(Exception error) => error is not OutOfMemoryException;

    /// <summary>The bytes of a sequence in one piece; a copy in a rented array if they are in several.</summary>
    public ReadOnlyMemory<byte> Linearize(in ReadOnlySequence<byte> message, out byte[]? rented)
    {
        CheckMessageBytes(message.Length);
        rented = null;
        if (message.IsSingleSegment)
            return message.First;
        rented = ArrayPool<byte>.Shared.Rent((int)message.Length);
        message.CopyTo(rented);
        return rented.AsMemory(0, (int)message.Length);
    }
}
