namespace Cluster.Slim.Tests.Graph;

/// <summary>Structs in structs; the number says how many levels there are.</summary>
internal static class NestedStructs
{
    public record struct S1(object? Value);

    public record struct S2(S1 Value);

    public record struct S3(S2 Value);

    public record struct S4(S3 Value);

    public record struct S5(S4 Value);

    public record struct S6(S5 Value);

    public record struct S7(S6 Value);

    public record struct S8(S7 Value);

    public record struct S9(S8 Value);

    public record struct S10(S9 Value);

    public record struct S11(S10 Value);

    public record struct S12(S11 Value);

    public record struct S13(S12 Value);

    public record struct S14(S13 Value);

    public record struct S15(S14 Value);

    public record struct S16(S15 Value);

    public record struct S17(S16 Value);

    public record struct S18(S17 Value);

    public record struct S19(S18 Value);

    public record struct S20(S19 Value);

    public record struct S21(S20 Value);

    public record struct S22(S21 Value);

    public record struct S23(S22 Value);

    public record struct S24(S23 Value);

    public record struct S25(S24 Value);

    public record struct S26(S25 Value);

    public record struct S27(S26 Value);

    public record struct S28(S27 Value);

    public record struct S29(S28 Value);

    public record struct S30(S29 Value);

    public record struct S31(S30 Value);

    public record struct S32(S31 Value);

    public record struct S33(S32 Value);
}
