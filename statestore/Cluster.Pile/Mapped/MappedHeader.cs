using Cluster.Pile.Context;
using Cluster.Pile.Files;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Mapped;

/// <summary>The identity and sizes of a mapped folder: written when the folder is created and when its budget changes.
/// An immutable value; the layout is in <c>docs/formats/mapped-files.md</c>.</summary>
internal sealed record MappedHeader
{
    public const ulong Magic = 0x315041454C495043; // "CPILEAP1"
    public const uint VersionNow = 1;
    public const int Bytes = 72;

    private const int TablesAt = 12;
    private const int BudgetAt = 16;
    private const int OffsetAt = 24;
    private const int FactorAt = 32;
    private const int IdentityAt = 40;
    private const int CounterAt = 48;
    private const int FloorsAt = 52;

    public required long BudgetBytes { get; init; }

    /// <summary>The number of the file that has the block tables.</summary>
    public required uint TablesNumber { get; init; }

    public required (ulong Offset, ulong Factor) Secret { get; init; }

    public required ulong Identity { get; init; }

    public required uint CounterFirst { get; init; }

    public required bool HasFloors { get; init; }

    public static MappedHeader Of(PileOrigin origin, long budgetBytes) => new()
    {
        BudgetBytes = budgetBytes,
        TablesNumber = 1,
        Secret = origin.Mask.Secret,
        Identity = origin.Identity,
        CounterFirst = origin.CounterFirst,
        HasFloors = origin.HasFloors,
    };

    public PileOrigin ToOrigin(uint clockStep, long recordTicks) => new()
    {
        Mask = new GenerationMask(Secret.Offset, Secret.Factor),
        Identity = Identity,
        CounterFirst = CounterFirst,
        HasFloors = HasFloors,
        ClockStep = clockStep,
        RecordTicks = recordTicks,
    };

    private static CheckedFile.Form Form => new(Magic, VersionNow, Bytes);

    public byte[] Encode()
    {
        var bytes = new byte[Bytes];
        var to = bytes.AsSpan();
        BinaryPrimitives.WriteUInt32LittleEndian(to[TablesAt..], TablesNumber);
        BinaryPrimitives.WriteInt64LittleEndian(to[BudgetAt..], BudgetBytes);
        BinaryPrimitives.WriteUInt64LittleEndian(to[OffsetAt..], Secret.Offset);
        BinaryPrimitives.WriteUInt64LittleEndian(to[FactorAt..], Secret.Factor);
        BinaryPrimitives.WriteUInt64LittleEndian(to[IdentityAt..], Identity);
        BinaryPrimitives.WriteUInt32LittleEndian(to[CounterAt..], CounterFirst);
        BinaryPrimitives.WriteUInt32LittleEndian(to[FloorsAt..], HasFloors ? 1U : 0);
        CheckedFile.Seal(to, Form);
        return bytes;
    }

    /// <summary>Throws, with the file and the place in it, when the bytes are not a valid header of this
    /// version.</summary>
    public static MappedHeader Decode(ReadOnlySpan<byte> from, string path)
    {
        CheckedFile.Check(from, path, Form);
        var header = Read(from);
        if (header.BudgetBytes is < PileOptions.MinBudgetBytes or > PileOptions.MaxBudgetBytes)
            throw CheckedFile.Damaged(path, $"the budget at byte {BudgetAt} is {header.BudgetBytes:N0}.");
        return header.CounterFirst <= GenerationMask.CounterMax
            ? header
            : throw CheckedFile.Damaged(path, $"the counter at byte {CounterAt} is {header.CounterFirst:N0}.");
    }

    private static MappedHeader Read(ReadOnlySpan<byte> from)
    {
        return new MappedHeader
        {
            TablesNumber = BinaryPrimitives.ReadUInt32LittleEndian(from[TablesAt..]),
            BudgetBytes = BinaryPrimitives.ReadInt64LittleEndian(from[BudgetAt..]),
            Secret = (
                BinaryPrimitives.ReadUInt64LittleEndian(from[OffsetAt..]),
                BinaryPrimitives.ReadUInt64LittleEndian(from[FactorAt..])),
            Identity = BinaryPrimitives.ReadUInt64LittleEndian(from[IdentityAt..]),
            CounterFirst = BinaryPrimitives.ReadUInt32LittleEndian(from[CounterAt..]),
            HasFloors = BinaryPrimitives.ReadUInt32LittleEndian(from[FloorsAt..]) != 0,
        };
    }
}
