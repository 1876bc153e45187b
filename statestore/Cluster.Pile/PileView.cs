using Cluster.Pile.Layout;
using Cluster.Pile.Views;

namespace Cluster.Pile;

/// <summary>The bytes of one object in place, without a copy. While a view is open, the object is neither changed nor
/// deleted: a thread that tries waits up to <see cref="PileOptions.PinWait"/>; readers and other views continue.
/// Belongs to the thread that opened it. An immutable value; <c>default</c> is an empty view without an
/// object.</summary>
/// <remarks>Dispose each view once. Disposing it again, or disposing a copy, does nothing. A view that is never
/// disposed pins its object as long as its thread lives, and is reported to <see cref="PileOptions.ViewAbandoned"/>. A
/// span that is used after its view is disposed, or after the pile is disposed, may show other bytes, but never
/// faults.</remarks>
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

    /// <summary>The stored form of the object.</summary>
    public PileObjectKind Kind { get; }

    /// <summary>The stored bytes of the object, aligned to 8. They are UTF-16 characters when <see cref="Kind"/> says
    /// so.</summary>
    public ReadOnlySpan<byte> Span { get; }

    /// <summary>The number of stored bytes of the object.</summary>
    public int Length => Span.Length;

    /// <summary>Closes the view and wakes the threads that wait to change the object.</summary>
    public void Dispose() => _views?.Close(_ticket);
}

/// <summary>The call that opened a view which was never disposed. Immutable.</summary>
/// <param name="Pointer">The object under the view.</param>
/// <param name="File">The source file with the call of <see cref="LocalPile.OpenView"/>.</param>
/// <param name="Line">The line of that call.</param>
public sealed record PileViewOrigin(PilePointer Pointer, string File, int Line);
