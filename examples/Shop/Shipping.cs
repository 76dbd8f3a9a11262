using System;

namespace Shop;

public enum ParcelKind { Letter, Cube, Tube, Box, Oversize }

/// <summary>Sizes in millimetres, weight in grams.</summary>
public struct Parcel
{
    public int Width;
    public int Height;
    public int Depth;
    public int Weight;
}

public static class Shipping
{
    public static ParcelKind Classify(Parcel parcel)
    {
        if (parcel.Width <= 0 || parcel.Height <= 0 || parcel.Depth <= 0)
            throw new ArgumentException("A parcel has three positive sides.");
        if (parcel.Width > 2000 || parcel.Height > 2000 || parcel.Depth > 2000) return ParcelKind.Oversize;
        if (parcel.Depth <= 20 && parcel.Weight <= 500) return ParcelKind.Letter;
        if (parcel.Width == parcel.Height && parcel.Height == parcel.Depth) return ParcelKind.Cube;
        if (parcel.Width == parcel.Height || parcel.Height == parcel.Depth || parcel.Width == parcel.Depth) return ParcelKind.Tube;
        return ParcelKind.Box;
    }

    /// <summary>The price in cents; zones 1 to 3, then the rest of the world.</summary>
    public static int Cost(int zone, int grams)
    {
        if (grams < 0) throw new ArgumentOutOfRangeException(nameof(grams));
        int perKilo;
        switch (zone)
        {
            case 1: perKilo = 290; break;
            case 2: perKilo = 490; break;
            case 3: perKilo = 790; break;
            default: perKilo = 1490; break;
        }
        int kilos = grams / 1000 + (grams % 1000 > 0 ? 1 : 0);
        if (kilos < 0) return -1;
        return perKilo * kilos;
    }

    /// <summary>How many parcels fit on a pallet when the largest is so many centimetres wide.</summary>
    public static int PerPallet(int width, int spacing)
    {
        int each = width + spacing;
        return 120 / each * (80 / each);
    }
}
