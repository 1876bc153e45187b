using System.Buffers;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;
using Cluster.Slim.Types;

namespace Cluster.Slim.Graph;

/// <summary>
/// What all ways of writing and reading messages share: the frozen options of one serializer, its plans, and how a
/// failure finds out where it happened. Immutable except for its caches; safe for many threads.
/// </summary>
internal sealed class SlimEngine
{
    // Finding the member path repeats the failed write; for huge messages the offset has to do.
    private const int TracedBytesMax = 4 * 1024 * 1024;

    internal SlimEngine(SlimOptions options)
    {
        if (!BitConverter.IsLittleEndian)
            throw new PlatformNotSupportedException("Slim runs on little-endian machines only.");
        Limits = options.Limits.Freeze();
        Rules = options.Freeze();
        Schema = options.Schema;
        Plans = new PlanRegistry(Rules);
        Roots = new RootCache(Rules, Plans);
    }

    internal SlimLimits Limits { get; }

    internal TypeRules Rules { get; }

    internal SlimSchema Schema { get; }

    internal PlanRegistry Plans { get; }

    internal RootCache Roots { get; }

    /// <summary>Works out how messages begin whose root is of exactly the declared type, which has a plan.</summary>
    internal RootLead NewLead(Root root)
    {
        ObjectPlan plan = root.Allowed.PlanOf(root.Allowed.Root);
        SlimWriter writer = new();
        writer.StartStandalone(this, null);
        writer.WriteTypedHead(plan);
        DescribedType? described = null;
        if (plan.WireCode == 0 && Rules.Profile != SlimProfile.InProcess)
        {
            described = new DescribedType(plan.Fingerprint, Schema == SlimSchema.Full ? plan.DescriptionText : null);
            described.Find(root.Allowed, Plans);
        }

        bool isShareless = new SharingProof(root.Allowed).Excludes(Plans.Layouts.Of(plan.Type));
        return new RootLead(plan, described, writer.Written.ToArray(), isShareless);
    }

    /// <summary>Completes an exception of a write: how far it got and in which member it was.</summary>
    internal void Explain<T>(SlimException error, SlimWriter writer, Root<T> root, T value)
    {
        error.Offset = writer.BytesWritten;
        error.BytesAdvanced = writer.BytesAdvanced;
        if (error.MemberPath is not null || writer.BytesWritten > TracedBytesMax)
            return;
        MemberTrace trace = new(RootNameOf(value, typeof(T)));
        SlimWriter traced = new();
        traced.Start(this, null);
        traced.Trace = trace;
        try
        {
            traced.WriteRoot(root, value);
        }
        catch (SlimException)
        {
            error.MemberPath = trace.ToString();
        }
    }

    /// <summary>Completes an exception of a read by repeating it: how far it got and in which member it was.</summary>
    internal void Explain(SlimException error, SlimReader reader, Root root, ReadOnlySpan<byte> message)
    {
        error.Offset = reader.Offset;
        error.MemberPath ??= MemberPaths.Find(this, new ReaderTypes(isSession: false), message, [root]);
    }

    internal static SlimException Wrap(Exception error) =>
        error as SlimException ?? new SlimMalformedException($"Reading failed: {error.GetType()}.", error);

    /// <summary>Whether an exception during reading is turned into one of ours; damaged bytes may cause
    /// any.</summary>
    internal static bool IsWrapped(Exception error) => error is not OutOfMemoryException;

    internal void CheckMessageBytes(long bytes)
    {
        if (bytes > Limits.MessageBytesMax)
            Throw.Limit(nameof(SlimLimits.MessageBytesMax), Limits.MessageBytesMax, bytes);
    }

    /// <summary>The bytes of a sequence in one piece; a copy in a rented array if they are in several.</summary>
    internal ReadOnlyMemory<byte> Linearize(in ReadOnlySequence<byte> message, out byte[]? rented)
    {
        CheckMessageBytes(message.Length);
        rented = null;
        if (message.IsSingleSegment)
            return message.First;
        rented = ArrayPool<byte>.Shared.Rent((int)message.Length);
        message.CopyTo(rented);
        return rented.AsMemory(0, (int)message.Length);
    }

    private static string RootNameOf<T>(T value, Type declared) => (value?.GetType() ?? declared).Name;
}
