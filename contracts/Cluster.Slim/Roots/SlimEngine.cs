using System.Runtime.ExceptionServices;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>The parts that all ways of writing and reading messages share: the frozen options of one serializer, its
/// serializers, and the search for the member of a failure. Immutable except for its caches; safe for many
/// threads.</summary>
internal sealed class SlimEngine : SerializerContext
{
    // Finding the member path repeats the failed write; errors of huge messages have only the offset.
    private const int TracedBytesMax = 4 * 1024 * 1024;

    // Header, head and type of a root take fewer bytes than this, without the description.
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

    /// <summary>Remembers the lead of messages whose root is of exactly the declared class, if the value in the place
    /// is.</summary>
    public void LearnLead(Root root, ref byte place)
    {
        var declared = root.Allowed.Root;
        if (!declared.IsValueType && root.ObjectAt(ref place)?.GetType() == declared)
            root.Lead ??= NewLead(root);
    }

    /// <summary>Computes the lead of messages whose root is of exactly the declared type, which has a serializer. Null
    /// when the limits have no room for it: a message just read may have been shorter, for example by
    /// fingerprint.</summary>
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

    /// <summary>Throws the failure of a write again, after finding the member. Not called in a catch block: its code
    /// runs on top of the stack of the failed call, which may have no room left.</summary>
    public void Rethrow(SlimException error, Root root, ref byte place)
    {
        // Captured before the search, because the repeated write may throw the same exception object.
        var failure = ExceptionDispatchInfo.Capture(error);
        Explain(error, root, ref place);
        error.Culprit = null;
        failure.Throw();
    }

    /// <summary>Throws the failure of a read again; the same rules apply.</summary>
    public void Rethrow(SlimException error, Root root, ReadOnlySpan<byte> message)
    {
        error.MemberPath ??= MemberPaths.Find(this, new ReaderTypes(isSession: false), message, [root]);
        ExceptionDispatchInfo.Throw(error);
    }

    /// <summary>The failure of a read, with its offset.</summary>
    public static SlimException Failed(Exception error, SlimReader reader)
    {
        var failure =
            error as SlimException ?? new SlimMalformedException($"Reading failed: {error.GetType()}.", error);
        failure.Offset = reader.Offset;
        return failure;
    }

    /// <summary>The failure of a write, with its offset.</summary>
    public static SlimException Failed(SlimException error, SlimWriter writer)
    {
        error.Offset = writer.BytesWritten;
        error.BytesAdvanced = writer.BytesAdvanced;
        return error;
    }

    // The catch block does nothing: it runs on top of the stack of the failed write, which may have used up the stack.
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

    /// <summary>Whether an exception during a read is converted into one of Slim's; damaged bytes may cause any
    /// exception.</summary>
    public static bool IsWrapped(Exception error) => error is not OutOfMemoryException;

    /// <summary>The bytes of a sequence in one piece; a copy in a rented array if there are several segments.</summary>
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
