namespace Cluster.Slim.Tests.Graph;

/// <summary>Structs in structs; the number says how many levels there are.</summary>
internal static class NestedStructs
{
    internal record struct S1(object? Value);

    internal record struct S2(S1 Value);

    internal record struct S3(S2 Value);

    internal record struct S4(S3 Value);

    internal record struct S5(S4 Value);

    internal record struct S6(S5 Value);

    internal record struct S7(S6 Value);

    internal record struct S8(S7 Value);

    internal record struct S9(S8 Value);

    internal record struct S10(S9 Value);

    internal record struct S11(S10 Value);

    internal record struct S12(S11 Value);

    internal record struct S13(S12 Value);

    internal record struct S14(S13 Value);

    internal record struct S15(S14 Value);

    internal record struct S16(S15 Value);

    internal record struct S17(S16 Value);

    internal record struct S18(S17 Value);

    internal record struct S19(S18 Value);

    internal record struct S20(S19 Value);

    internal record struct S21(S20 Value);

    internal record struct S22(S21 Value);

    internal record struct S23(S22 Value);

    internal record struct S24(S23 Value);

    internal record struct S25(S24 Value);

    internal record struct S26(S25 Value);

    internal record struct S27(S26 Value);

    internal record struct S28(S27 Value);

    internal record struct S29(S28 Value);

    internal record struct S30(S29 Value);

    internal record struct S31(S30 Value);

    internal record struct S32(S31 Value);

    internal record struct S33(S32 Value);
}
