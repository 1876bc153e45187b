using Cluster.StateStore.Hosting.Feeds;

namespace Cluster.StateStore.Hosting;

/// <summary>What this process was told of the changes of a key at one moment. A value that was read after that moment
/// may be used without a further read while the mark is valid: nobody has told of a change since, and the owner has
/// confirmed within two seconds that it tells of all changes. The default mark is never valid. Immutable.</summary>
public readonly struct NearMark
{
    private readonly NearCache? _near;
    private readonly NearFill _known;
    private readonly ulong _keyHash;
    private readonly long _takenAt;

    internal NearMark(NearCache near, in NearFill known, ulong keyHash) =>
        (_near, _known, _keyHash, _takenAt) = (near, known, keyHash, near.Now);

    /// <summary>Whether all marks are valid now.</summary>
    /// <param name="marks">Marks of one process; none are not valid.</param>
    /// <param name="ageMax">How long ago the first of them may have been taken.</param>
    public static bool AreValid(ReadOnlySpan<NearMark> marks, TimeSpan ageMax)
    {
        if (marks.IsEmpty || marks[0]._near is not { } first)
            return false;
        var now = first.Now;
        if (now - marks[0]._takenAt > ageMax.Ticks)
            return false;
        foreach (ref readonly var mark in marks)
        {
            if (mark._near?.IsValid(mark._keyHash, mark._known, now) != true)
                return false;
        }

        return true;
    }
}
