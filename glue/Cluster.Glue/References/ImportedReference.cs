namespace Cluster.Glue.References;

/// <summary>What this side holds of an object or stream of the peer. Implementations protect themselves.</summary>
internal abstract class ImportedReference(ReferenceTable table)
{
    private long _returnedAt = long.MinValue;

    public ReferenceTable Table => table;

    /// <summary>Whether a message may be under way that names it to its owner, who must still know it then. Nobody here
    /// has to hold it for that, and what gives it back travels faster than some messages.</summary>
    public bool IsReturning
    {
        get
        {
            var at = Volatile.Read(ref _returnedAt);
            return at != long.MinValue
                && table.Settings.Time.GetElapsedTime(at) < GlueLimits.ReferenceReturnTime;
        }
    }

    /// <summary>A message names it to its owner.</summary>
    public void NoteReturned() => Volatile.Write(ref _returnedAt, table.Settings.Time.GetTimestamp());

    /// <summary>Gives it back to its owner; nothing can be done with it any more. Idempotent.</summary>
    public abstract void Release();

    /// <summary>Gives back what a user holds; false when that is no object of a peer.</summary>
    public static bool Release(object value)
    {
        var reference = (value as IRemoteObject)?.Reference;
        reference?.Release();
        return reference is not null;
    }
}
