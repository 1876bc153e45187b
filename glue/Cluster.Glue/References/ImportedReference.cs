namespace Cluster.Glue.References;

/// <summary>An object or stream of the peer on this side. Implementations protect themselves.</summary>
internal abstract class ImportedReference(ReferenceTable table)
{
    private long _returnedAt = long.MinValue;

    public ReferenceTable Table => table;

    /// <summary>Whether a message that names the object to its owner may be under way. The owner must still know the
    /// object then, although nobody here holds it, because a release may overtake some messages.</summary>
    public bool IsReturning
    {
        get
        {
            var at = Volatile.Read(ref _returnedAt);
            return at != long.MinValue
                && table.Settings.Time.GetElapsedTime(at) < GlueLimits.ReferenceReturnTime;
        }
    }

    /// <summary>Notes that a message names it to its owner.</summary>
    public void NoteReturned() => Volatile.Write(ref _returnedAt, table.Settings.Time.GetTimestamp());

    /// <summary>Gives it back to its owner; it cannot be used any more. Idempotent.</summary>
    public abstract void Release();

    /// <summary>Gives back the object that a user holds. False: it is no object of a peer.</summary>
    public static bool Release(object value)
    {
        var reference = (value as IRemoteObject)?.Reference;
        reference?.Release();
        return reference is not null;
    }
}
