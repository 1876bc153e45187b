namespace Cluster.Pile.Slots;

/// <summary>What a payload is stored as, beside its bytes. An immutable value.</summary>
/// <param name="Kind">What it is: bytes, text or graph.</param>
/// <param name="RoomBytes">Payload bytes that the slot shall hold at least.</param>
/// <param name="Deadline">The step of the clock at which the object ends; zero for none.</param>
/// <param name="KeepsDeadline">Whether the deadline is that of the object that is replaced.</param>
internal readonly record struct PayloadForm(
    PayloadKind Kind, int RoomBytes = 0, uint Deadline = 0, bool KeepsDeadline = false)
{
    /// <summary>Slot bytes for header, second word, payload and the room that it shall have.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long BytesFor(int length)
    {
        var room = Math.Max(length, RoomBytes);
        return (long)room + SlotHeader.Bytes + (IsExtended(room) ? ExtendedWord.Bytes : 0);
    }

    /// <summary>Whether a payload of this length needs the second word.</summary>
    public bool IsExtended(int length) => length > SlotHeader.LengthMax || Deadline != 0;
}
