namespace Cluster.Pile.Slots;

/// <summary>A view that was not disposed yet: its number, its object, and the call that took it. Immutable.</summary>
internal readonly record struct OpenView(long Ticket, PilePointer Pointer, string File, int Line)
{
    public PileViewOrigin Origin => new(Pointer, File, Line);
}
