namespace Cluster.Pile.Layout;

/// <summary>How a payload is stored, without its bytes. An immutable value.</summary>
/// <param name="Kind">Bytes, text or graph.</param>
/// <param name="RoomBytes">Payload bytes that the slot holds at least.</param>
/// <param name="Deadline">The step of the clock at which the object expires; zero for none.</param>
/// <param name="KeepsDeadline">Whether the new object takes the deadline of the object that it replaces.</param>
internal readonly record struct PayloadForm(
    PayloadKind Kind, int RoomBytes = 0, uint Deadline = 0, bool KeepsDeadline = false)
{
    /// <summary>Slot bytes for the header, the second word if one is needed, and the payload or the requested
    /// room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long BytesFor(int length)
    {
        var room = Math.Max(length, RoomBytes);
        return (long)room + SlotHeader.Bytes + (IsExtended(room) ? ExtendedWord.Bytes : 0);
    }

    /// <summary>Whether a payload of this length needs the second word.</summary>
    public bool IsExtended(int length) => length > SlotHeader.LengthMax || Deadline != 0;
}
