using Cluster.Pile.Layout;
using Cluster.Pile.Views;

namespace Cluster.Pile;

/// <summary>The bytes of one object where they lie, without a copy. While a view is open, the object is neither changed
/// nor deleted: a thread that tries waits up to <see cref="PileOptions.PinWait"/>; readers and other views go on.
/// Belongs to the thread that opened it. An immutable value; <c>default</c> is an empty view on nothing.</summary>
/// <remarks>A view is to be disposed, once; doing it again, or with a copy, does nothing. One that is never disposed
/// pins its object as long as its thread lives, and is reported to <see cref="PileOptions.ViewAbandoned"/>. A span kept
/// longer than its view, or than the pile, shows whatever lies there then; reading it never faults.</remarks>
public readonly ref struct PileView : IDisposable
{
    private readonly ViewStore? _views;
    private readonly long _ticket;

    internal PileView(
        ViewStore views, long ticket, PilePointer pointer, PayloadKind kind, ReadOnlySpan<byte> span)
    {
        _views = views;
        _ticket = ticket;
        Pointer = pointer;
        Kind = (PileObjectKind)kind;
        Span = span;
    }

    /// <summary>The object under the view.</summary>
    public PilePointer Pointer { get; }

    /// <summary>In which form it is stored.</summary>
    public PileObjectKind Kind { get; }

    /// <summary>Its stored bytes, aligned to 8; they are those of UTF-16 characters if the kind says so.</summary>
    public ReadOnlySpan<byte> Span { get; }

    /// <summary>How many bytes it has.</summary>
    public int Length => Span.Length;

    /// <summary>Closes the view and lets those go on who wait to change the object.</summary>
    public void Dispose() => _views?.Close(_ticket);
}

/// <summary>Where a view was taken that nobody disposed. Immutable.</summary>
/// <param name="Pointer">The object that it lay on.</param>
/// <param name="File">The source file with the call of <see cref="LocalPile.OpenView"/>.</param>
/// <param name="Line">The line of that call.</param>
public sealed record PileViewOrigin(PilePointer Pointer, string File, int Line);
