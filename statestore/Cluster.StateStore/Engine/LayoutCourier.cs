using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Engine;

/// <summary>Brings layout descriptions to the nodes that get values of this node, so that no value arrives without the
/// description of its layout. Used under the engine's lock, except where a member says otherwise.</summary>
/// <param name="options">The engine.</param>
/// <param name="environment">Sends the acknowledgements.</param>
internal sealed class LayoutCourier(EngineOptions options, INodeEnvironment environment)
{
    /// <summary>The most bytes of descriptions that one frame takes along. More go with the next frames.</summary>
    public const int FrameBytesMax = 512 << 10;

    private const int LivesMax = 2 * ClusterTable.MaxMembers;

    // For each book of the shelf, how many of its descriptions a life has acknowledged.
    private readonly Dictionary<Guid, int[]> _kept = [];

    private bool IsSpoken => options.Node.Member.Protocol >= ProtocolVersion.WithLayouts;

    /// <summary>Finds the descriptions that go with a frame: those that its receiver has not acknowledged. Empty:
    /// none.</summary>
    /// <param name="receiver">The receiver.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="table">The table of this node.</param>
    public ImmutableArray<LayoutsPart> FindFor(NodeId receiver, object frame, ClusterTable? table)
    {
        if (frame is not (AppendFrame or CopyChunk) || !IsSpoken)
            return [];
        var books = options.Layouts.Books;
        var kept = _kept.GetValueOrDefault(receiver.Incarnation) ?? [];
        for (var index = 0; index < books.Length; index++)
        {
            if (books[index].Book.All.Length > PlaceOf(kept, index))
            {
                return table?.FindMember(receiver) is { Protocol: >= ProtocolVersion.WithLayouts }
                    ? Collect(books, kept)
                    : [];
            }
        }

        return [];
    }

    /// <summary>Takes the descriptions of another node and acknowledges them. Called without the engine's
    /// lock.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="sender">The incarnation of the node that sent the frame.</param>
    /// <param name="table">The table of this node.</param>
    /// <returns>The frame inside; null: the frame is refused.</returns>
    public ReadOnlyMemory<byte>? Unpack(LayoutsFrame frame, Guid sender, ClusterTable? table)
    {
        if (table?.FindIncarnation(sender) is not { } member || !IsSpoken
            || FrameCodec.IsOf(FrameKind.Layouts, frame.Inner.Span))
            return null;
        options.Layouts.Take(frame.Parts);
        var writer = new FormatWriter(capacity: 128);
        var header = new FrameHeader(options.Hash.ClusterId, options.Node.Member.Node.Incarnation, sender);
        FrameCodec.Write(header, new LayoutsKept([.. frame.Parts.Select(static part => part.Mark)]), writer);
        environment.Send(member.Node, writer.Written.ToArray());
        return frame.Inner;
    }

    /// <summary>Takes an acknowledgement.</summary>
    /// <param name="sender">The incarnation of the node that has the descriptions.</param>
    /// <param name="frame">The acknowledgement.</param>
    /// <param name="table">The table of this node.</param>
    public void Acknowledged(Guid sender, LayoutsKept frame, ClusterTable? table)
    {
        if (table?.FindIncarnation(sender) is null)
            return;
        var books = options.Layouts.Books;
        var kept = _kept.GetValueOrDefault(sender) ?? [];
        if (kept.Length < books.Length)
            Array.Resize(ref kept, books.Length);

        // A node that is forgotten here is told once more.
        if (_kept.Count >= LivesMax)
            _kept.Clear();
        _kept[sender] = kept;
        for (var index = 0; index < books.Length; index++)
        {
            foreach (var mark in frame.Marks)
            {
                var isNext = mark.State == books[index].State && mark.First <= kept[index];
                if (isNext && mark.End <= books[index].Book.All.Length)
                    kept[index] = Math.Max(kept[index], mark.End);
            }
        }
    }

    private static int PlaceOf(int[] kept, int index) => index < kept.Length ? kept[index] : 0;

    private static ImmutableArray<LayoutsPart> Collect((uint State, LayoutBook Book)[] books, int[] kept)
    {
        var parts = ImmutableArray.CreateBuilder<LayoutsPart>();
        var bytesLeft = FrameBytesMax;
        for (var index = 0; index < books.Length; index++)
        {
            var (all, first) = (books[index].Book.All, PlaceOf(kept, index));
            var end = first;
            while (end < all.Length && (bytesLeft == FrameBytesMax || all[end].Length <= bytesLeft))
                bytesLeft -= all[end++].Length;
            if (end > first)
                parts.Add(new LayoutsPart(books[index].State, first, [.. all[first..end]]));
            if (end < all.Length)
                break;
        }

        return parts.DrainToImmutable();
    }
}
