namespace Cluster.Pile.Snapshots;

/// <summary>Creates the exceptions of snapshots. Stateless.</summary>
internal static class SnapshotFailure
{
    public static PileSnapshotException Damaged(string file, long offset, string how, long block = 0) =>
        new(
            PileSnapshotProblem.Damaged,
            $"The snapshot file {file} is damaged at offset {offset:N0}"
                + (block == 0 ? "" : $", block {block:N0}") + $": {how}.")
        {
            File = file,
            Offset = offset,
            Block = block == 0 ? null : block,
        };

    public static PileSnapshotException Senseless(string file, Exception cause) =>
        new(
            PileSnapshotProblem.Damaged,
            $"The snapshot of {file} does not fit together, although its checksums are right: {cause.Message}",
            cause)
        { File = file };

    public static PileSnapshotException Foreign(string file, string how) =>
        new(PileSnapshotProblem.Foreign, $"The file {file} is not part of this snapshot: {how}.") { File = file };

    public static PileSnapshotException Newer(string file, uint version) =>
        new(
            PileSnapshotProblem.Newer,
            $"The snapshot file {file} is of version {version}, and this program reads up to version "
                + $"{SnapshotFormat.Version}. Restore it with the program that wrote it, or a newer one.")
        {
            File = file,
        };

    public static PileSnapshotException Missing(string folder, long? generation) =>
        new(
            PileSnapshotProblem.Missing,
            generation is null
                ? $"The folder {folder} has no snapshot."
                : $"The folder {folder} has no snapshot of generation {generation}.");

    public static PileSnapshotException TooSmall(long budgetBytes, long neededBytes) =>
        new(
            PileSnapshotProblem.BudgetTooSmall,
            $"The snapshot needs a budget of {neededBytes:N0} bytes and "
                + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)} is {budgetBytes:N0}; raise it.");

    public static PileSnapshotException OtherPile(string file, ulong owner, ulong pile) =>
        new(
            PileSnapshotProblem.Foreign,
            $"Nothing was saved, because {file} is of pile {owner:x16}, and this is pile {pile:x16}: its snapshots "
                + "would replace those. Save into another folder; or restore that snapshot and go on with the "
                + "restored pile; or, when nobody needs it, delete or move the files of that folder.")
        { File = file };

    public static PileSnapshotException OtherSave(string file) =>
        new(
            PileSnapshotProblem.Foreign,
            $"Nothing was saved, because another pile is saving into the folder of {file} at this moment. A folder "
                + "belongs to one pile; save into another folder.")
        { File = file };

    public static PileSnapshotException Shared(string path, string problem) =>
        new(PileSnapshotProblem.SharedFolder, $"The snapshots at {path} are not used: {problem}") { File = path };

    public static PileSnapshotException GivenUp(string reason) =>
        new(PileSnapshotProblem.GivenUp, $"The snapshot was given up: {reason}. The one before it is still valid.");

    public static PileSnapshotException Device(string file, bool isSave, Exception error) =>
        new(
            PileSnapshotProblem.Device,
            isSave
                ? $"The snapshot could not be written: {file}: {error.Message} The one before it is still valid."
                : $"The snapshot could not be read: {file}: {error.Message}",
            error)
        { File = file };
}
